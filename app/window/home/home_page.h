#pragma once

#include <QWidget>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "widgets/drawing/type_scale.h"

class QLabel;
class QVBoxLayout;

namespace headscope::app {

/// What can be opened: bundled models with what they are for, recent ones, files, sessions. All of it takes
/// files that are dropped.
class HomePage : public QWidget {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    HomePage(const Settings& settings, const Actions& actions, QWidget* parent);

  Q_SIGNALS:
    /// Path of a model or session, or name of a bundled model.
    void chosen(const QString& pathOrName);
    void shown(bool isShown);

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void fill();
    void fillRecent();
    QLabel* addTitle(const QString& words, widgets::TextRole role);
    QWidget* newButtons();
    QWidget* newCards(bool ofToys);

    const Settings& settings_;
    const Actions& actions_;
    QVBoxLayout* column_ = nullptr; ///< null until it is shown: the window appears sooner
    QWidget* recent_ = nullptr;
    QLabel* target_; ///< over the whole page while something is dragged
};

} // namespace headscope::app
