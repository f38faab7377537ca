#pragma once

#include <QWidget>

#include "app/desktop/actions.h"

#include <string>
#include <vector>

class QToolButton;

namespace headscope::app {

/// The left edge of the window: buttons for the actions of Home and the workspaces, and below them the
/// manual; without their words where the window is not wide.
class Rail : public QWidget {
    Q_OBJECT

  public:
    Rail(const Actions& actions, QWidget* parent);
    /// The window has another width.
    void follow();

  private:
    QToolButton* add(QAction* action, const std::string& icon);

    std::vector<QToolButton*> buttons_;
};

} // namespace headscope::app
