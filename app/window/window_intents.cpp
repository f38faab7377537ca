#include "app/window/window_intents.h"

#include "app/desktop/actions.h"
#include "app/document/intents.h"
#include "app/window/compare_controller.h"
#include "app/window/docks/panels.h"
#include "app/window/tabs.h"

#include <QAction>
#include <QApplication>

namespace headscope::app {

namespace intents = widgets::intents;

void carryOut(const widgets::Intent& intent, const widgets::View* view, const IntendedParts& parts) {
    auto* tabs = parts.tabs;
    const auto* measured = std::get_if<intents::MeasureHeads>(&intent);
    const auto* focus = QApplication::focusWidget();
    if (std::holds_alternative<intents::OpenHead>(intent) && tabs->currentWidget()->isAncestorOf(focus))
        tabs->open("heatmap");
    else if (std::holds_alternative<intents::OpenHead>(intent))
        tabs->setCurrentWidget(tabs->view("heatmap")); // the keys stay where the head was selected
    else if (measured && measured->on)
        (*parts.actions)[ActionId::MeasureHeads]->trigger(); // opens the list
    else if (std::holds_alternative<intents::ShowSelf>(intent))
        parts.panels->openBehind(view);
    else if (const auto* room = std::get_if<intents::MakeRoom>(&intent))
        parts.panels->makeRoom(view, room->on);
    else if (const auto* compared = std::get_if<intents::ComparePath>(&intent))
        parts.compare->compareBranch(static_cast<int>(compared->path));
    else
        carryOut(parts.document, intent);
    if (std::holds_alternative<intents::ChooseToken>(intent))
        tabs->window()->setFocus(); // so that the arrow keys step through the tokens
}

} // namespace headscope::app
