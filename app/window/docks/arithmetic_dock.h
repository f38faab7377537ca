#pragma once

#include <QDockWidget>

#include "app/window/actions.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"

#include <optional>

class QMainWindow;
class QMenu;

namespace headscope::widgets {
class ArithmeticView;
}

namespace headscope::app {

/// How one cell is computed, in its dock.
class ArithmeticDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All of them outlive the dock.
    ArithmeticDock(widgets::Selection* selection, const Actions& actions, QMainWindow* parent);

    widgets::ArithmeticView* view() const { return view_; }
    /// "Show the Arithmetic", which opens the dock on it.
    void addToMenu(QMenu& menu, trace::AttentionKind kind, const std::optional<widgets::MapCell>& cell);

  public Q_SLOTS:
    void open();

  private:
    widgets::Selection* selection_;
    widgets::ArithmeticView* view_;
};

} // namespace headscope::app
