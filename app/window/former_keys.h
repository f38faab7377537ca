#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"

#include <map>

namespace headscope::app {

/// Keys that do something else than in the previous version. Says once for each what it does now, and what
/// does now what it did.
class FormerKeys : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this.
    FormerKeys(const Actions& actions, Settings* settings, QObject* parent);

    /// Explains the key if it was not before.
    void explain(const QKeySequence& keys);

  Q_SIGNALS:
    void said(const QString& words);

  protected:
    bool eventFilter(QObject* action, QEvent* event) override;

  private:
    struct Changed {
        const QAction* now;
        const QAction* before;
    };
    std::map<QKeySequence, Changed> changed_;
    Settings* settings_;
};

} // namespace headscope::app
