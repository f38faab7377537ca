#pragma once

#include <QWidget>

#include "app/desktop/actions.h"

class QToolButton;

namespace headscope::app {

/// The left edge of the window: buttons for the actions of Home and the workspaces, and below them the
/// manual.
class Rail : public QWidget {
    Q_OBJECT

  public:
    Rail(const Actions& actions, QWidget* parent);

  private:
    QToolButton* add(QAction* action);
};

} // namespace headscope::app
