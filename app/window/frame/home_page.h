#pragma once

#include <QWidget>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"

class QListWidget;

namespace headscope::app {

/// What can be opened: bundled and recent models, files, sessions.
class HomePage : public QWidget {
    Q_OBJECT

  public:
    /// `settings` outlives this.
    HomePage(const Settings& settings, const Actions& actions, QWidget* parent);

  Q_SIGNALS:
    /// Path of a model or name of a bundled one.
    void chosen(const QString& pathOrName);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    QListWidget* newList(const QString& name);
    void fill();

    const Settings& settings_;
    QListWidget* bundled_;
    QListWidget* recent_;
};

} // namespace headscope::app
