#include "app/window/docks/what_if_dock.h"

#include "app/desktop/dock_tabs.h"
#include "widgets/controls/tall_area.h"
#include "widgets/views/what_if/change_comparison.h"
#include "widgets/views/what_if/proposed_changes.h"
#include "widgets/views/what_if/what_if_panel.h"
#include "widgets/words/change_words.h"
#include "widgets/words/plain_text.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QTimer>

#include <algorithm>

namespace headscope::app {

using widgets::WhatIfPanel;

WhatIfDock::WhatIfDock(WhatIf* whatIf, DecodeController* controller, widgets::Selection* selection,
                       Actions* actions, QWidget* parent)
    : QDockWidget(tr("What if"), parent), whatIf_(whatIf), controller_(controller), selection_(selection),
      actions_(actions), panel_(new WhatIfPanel(selection, this)) {
    setWidget(new widgets::TallArea(panel_, this));
    panel_->addMenu()->setTitle(tr("&Add a Change"));
    actions_->menu("What-&If")->addMenu(panel_->addMenu());
    connectPanel();
    connectActions();
    followList();
}

void WhatIfDock::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    panel_->setModel(std::move(model));
    followList();
}

widgets::ChangeComparison* WhatIfDock::comparison() const {
    return panel_->comparison();
}

void WhatIfDock::connectPanel() {
    connect(panel_, &WhatIfPanel::added, whatIf_, &WhatIf::add);
    connect(panel_, &WhatIfPanel::replaced, whatIf_, &WhatIf::replace);
    connect(panel_, &WhatIfPanel::removed, whatIf_, &WhatIf::remove);
    connect(panel_, &WhatIfPanel::cleared, whatIf_, &WhatIf::clear);
    // Queued, because the list is still emitting its signal.
    connect(panel_, &WhatIfPanel::switched, whatIf_, &WhatIf::setOn, Qt::QueuedConnection);
    connect(whatIf_, &WhatIf::interventionsChanged, this, &WhatIfDock::followList);
    connect(controller_, &DecodeController::runChanged, panel_, &WhatIfPanel::setRun);
    connect(controller_, &DecodeController::runChanged, this, &WhatIfDock::makeRoom);
    connect(comparison(), &widgets::ChangeComparison::effectShown, this, &WhatIfDock::makeRoom);
}

void WhatIfDock::connectActions() {
    connect((*actions_)[ActionId::ToggleHead], &QAction::triggered, this,
            [this] { whatIf_->toggleHead(selection_->head()); });
    connect((*actions_)[ActionId::ClearChanges], &QAction::triggered, whatIf_, &WhatIf::clear);
}

std::vector<QAction*> WhatIfDock::changes() {
    panel_->fillAddMenu();
    const auto actions = panel_->addMenu()->actions();
    return {actions.begin(), actions.end()};
}

void WhatIfDock::followList() {
    panel_->setInterventions(whatIf_->interventions());
    const bool any = !whatIf_->interventions().empty();
    const QString whyNot = panel_->whyNothing();
    actions_->setEnabled(ActionId::ClearChanges, any && whyNot.isEmpty(),
                         any ? whyNot : tr("Nothing is changed."));
}

/// Enlarges the dock once, when the first change has an effect; the user may then shrink it. The next-token
/// panel keeps half, and gets its height back when nothing is changed any more.
void WhatIfDock::makeRoom() {
    auto* window = windowOf(*this);
    if (!window || isFloating() || !isVisible())
        return room_.reset();
    if (whatIf_->interventions().empty()) {
        const bool isMoved = room_ && room_->given && *room_->given != height(); // by the user
        if (room_ && !room_->docks.isEmpty() && !isMoved)
            window->resizeDocks(room_->docks, room_->before, Qt::Vertical);
        room_.reset();
    }
    if (room_ || !comparison()->hasFigure())
        return;
    room_ = columnOf(*window);
    const int title = height() - widget()->height();
    const int wanted =
        std::min(panel_->heightForWidth(panel_->width()) + title, window->centralWidget()->height() / 2);
    if (height() >= wanted) {
        room_.emplace(); // nothing was taken, so nothing is restored
        return;
    }
    window->resizeDocks({this}, {wanted}, Qt::Vertical);
    constexpr int settled = 200; // ms until the window has finished its layout
    QTimer::singleShot(settled, this, [this] {
        if (room_)
            room_->given = height();
    });
}

/// Returns the visible docks above and below this one, with their heights.
WhatIfDock::Room WhatIfDock::columnOf(const QMainWindow& window) {
    Room room;
    for (auto* dock : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (isInSight(*dock) && !dock->isFloating() &&
            window.dockWidgetArea(dock) == window.dockWidgetArea(this)) {
            room.docks += dock;
            room.before += dock->height();
        }
    }
    return room;
}

void WhatIfDock::addChangesOfHead(QMenu& menu, const trace::HeadAddress& head) const {
    menu.addSeparator();
    const QString off = widgets::changeTitle(trace::ScaleHead{.head = head, .factor = 0});
    auto* toggle = menu.addAction(whatIf_->isOff(head) ? widgets::enableTitle(head) : off, whatIf_,
                                  [this, head] { whatIf_->toggleHead(head); });
    if (const QString whyNot = panel_->whyNothing(); !whyNot.isEmpty()) {
        toggle->setEnabled(false);
        toggle->setToolTip(widgets::plainToolTip(whyNot));
        menu.setToolTipsVisible(true);
    }
    for (const auto& proposed : widgets::headChanges(head))
        panel_->offer(menu, proposed);
}

void WhatIfDock::addChangesOfCell(QMenu& menu, const trace::HeadAddress& head,
                                  const std::optional<widgets::MapCell>& cell) const {
    if (cell) {
        menu.addSeparator();
        for (const auto& proposed : widgets::cellChanges(head, static_cast<std::size_t>(cell->row),
                                                         static_cast<std::size_t>(cell->column)))
            panel_->offer(menu, proposed);
    }
    addChangesOfHead(menu, head);
}

} // namespace headscope::app
