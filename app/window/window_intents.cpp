#include "app/window/window_intents.h"

#include "app/desktop/actions.h"
#include "app/document/intents.h"
#include "app/window/docks/panels.h"
#include "app/window/tabs.h"
#include "app/window/top/model_button.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QMenu>

namespace headscope::app {

namespace intents = widgets::intents;

namespace {

struct SecondWords {
    Q_DECLARE_TR_FUNCTIONS(headscope::app::SecondModel)
};

void offerSecond(QMenu* menu, const IntendedParts& parts) {
    auto* document = parts.document;
    const auto open = [document](const QString& pathOrName) { document->openSecond(pathOrName); };
    fillModelMenu(menu, *parts.settings, open);
    for (const bool folder : {true, false})
        QObject::connect(
            menu->addAction(folder ? SecondWords::tr("Open a Folder...") : SecondWords::tr("Open a File...")),
            &QAction::triggered, document, [open, folder, window = parts.tabs->window()] {
                if (const QString path = chosenModel(window, folder); !path.isEmpty())
                    open(path);
            });
    QAction* close = menu->addAction(SecondWords::tr("Close the Second Model"));
    close->setEnabled(document->state().second.model != nullptr);
    close->setToolTip(close->isEnabled() ? SecondWords::tr("Free its memory")
                                         : SecondWords::tr("No second model is open."));
    QObject::connect(close, &QAction::triggered, document, [open] { open({}); });
}

} // namespace

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
    else if (std::holds_alternative<intents::ShowSelf>(intent) && tabs->indexOf(view) >= 0)
        tabs->setCurrentIndex(tabs->indexOf(view));
    else if (std::holds_alternative<intents::ShowSelf>(intent))
        parts.panels->openBehind(view);
    else if (const auto* room = std::get_if<intents::MakeRoom>(&intent))
        parts.panels->makeRoom(view, room->on);
    else if (const auto* offered = std::get_if<intents::OfferSecond>(&intent))
        offerSecond(offered->menu, parts);
    else
        carryOut(parts.document, intent);
    for (auto* other : tabs->views())
        other->heed(intent);
    if (std::holds_alternative<intents::ChooseToken>(intent))
        tabs->window()->setFocus(); // so that the arrow keys step through the tokens
}

} // namespace headscope::app
