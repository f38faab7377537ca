#pragma once

#include <QDockWidget>
#include <QList>

#include "app/document/what_if.h"
#include "app/window/actions.h"
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

/// The what-if panel in its dock, joined to the list of changes and to their actions; and what the menus of
/// heads and cells offer.
class WhatIfDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All of them outlive the dock.
    WhatIfDock(WhatIf* whatIf, DecodeController* controller, widgets::Selection* selection, Actions* actions,
               QWidget* parent);

    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    void addChangesOfHead(QMenu& menu, const trace::HeadAddress& head) const;
    /// And of its head; of the head alone where there is no cell.
    void addChangesOfCell(QMenu& menu, const trace::HeadAddress& head,
                          const std::optional<widgets::MapCell>& cell) const;

    /// What the changes did, as it is saved.
    widgets::ChangeComparison* comparison() const;

    /// What can be changed where a person looks now, anew at every call; of the menu of the panel.
    std::vector<QAction*> changes();

  private:
    void connectPanel();
    void connectActions();
    void followList();
    void makeRoom();

    /// What heights were, to be given back.
    struct Room {
        QList<QDockWidget*> docks;
        QList<int> before;
        std::optional<int> given; ///< of this one, once it has it
    };
    Room columnOf(const QMainWindow& window);

    WhatIf* whatIf_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    Actions* actions_;
    widgets::WhatIfPanel* panel_;
    std::optional<Room> room_; ///< made for what the changes did
};

} // namespace headscope::app
