#pragma once

#include <QDockWidget>
#include <QList>

#include "app/desktop/actions.h"
#include "app/document/what_if.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace headscope::widgets {
class ChangeComparison;
class WhatIfPanel;
} // namespace headscope::widgets

namespace headscope::app {

/// The dock of the what-if panel, connected to the list of changes and their actions. Adds changes to the
/// context menus of heads and cells.
class WhatIfDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All objects must outlive the dock.
    WhatIfDock(WhatIf* whatIf, DecodeController* controller, widgets::Selection* selection, Actions* actions,
               QWidget* parent);

    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    void addChangesOfHead(QMenu& menu, const trace::HeadAddress& head) const;
    /// Also adds the changes of the head; those alone if there is no cell.
    void addChangesOfCell(QMenu& menu, const trace::HeadAddress& head,
                          const std::optional<widgets::MapCell>& cell) const;

    /// The effect of the changes, as it is exported.
    widgets::ChangeComparison* comparison() const;

    /// Rebuilds the menu of changes that are possible for the current selection, and returns its actions.
    std::vector<QAction*> changes();

  private:
    void connectPanel();
    void connectActions();
    void followList();
    void makeRoom();

    /// Heights before the dock was enlarged, to be restored.
    struct Room {
        QList<QDockWidget*> docks;
        QList<int> before;
        std::optional<int> given; ///< height of this dock after it was enlarged
    };
    Room columnOf(const QMainWindow& window);

    WhatIf* whatIf_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    Actions* actions_;
    widgets::WhatIfPanel* panel_;
    std::optional<Room> room_; ///< while enlarged for the effect of the changes
};

} // namespace headscope::app
