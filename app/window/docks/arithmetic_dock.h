#pragma once

#include <QDockWidget>

#include "app/desktop/actions.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"

#include <optional>

class QMainWindow;
class QMenu;

namespace headscope::widgets {
class ArithmeticView;
}

namespace headscope::app {

/// The dock that shows how one cell of a map is computed.
class ArithmeticDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All objects must outlive the dock.
    ArithmeticDock(widgets::Selection* selection, const Actions& actions, QMainWindow* parent);

    widgets::ArithmeticView* view() const { return view_; }
    /// Adds "Show the Arithmetic", which opens the dock for `cell`; nothing if there is no cell.
    void addToMenu(QMenu& menu, trace::AttentionKind kind, const std::optional<widgets::MapCell>& cell);

  public Q_SLOTS:
    void open();

  private:
    widgets::Selection* selection_;
    widgets::ArithmeticView* view_;
};

} // namespace headscope::app
