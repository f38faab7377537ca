#include "app/window/window_intents.h"

#include "app/desktop/actions.h"
#include "app/desktop/dock_tabs.h"
#include "app/desktop/file_dialogs.h"
#include "app/document/document.h"
#include "app/document/intents.h"
#include "app/export/figure_exporter.h"
#include "app/results/results.h"
#include "app/window/docks/panels.h"
#include "app/window/tabs.h"
#include "app/window/top/model_button.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/typed_sentence.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMenu>

#include <algorithm>

namespace headscope::app {

namespace intents = widgets::intents;

using Does = widgets::ActionSpec::Does;

namespace {

/// The view of a window, wherever it stands; null if it has no place there.
widgets::View* viewOf(const IntendedParts& parts, const std::string& key) {
    for (auto* found : {parts.tabs->view(key), parts.panels->view(key), parts.sentence->view(key)})
        if (found)
            return found;
    return nullptr;
}

void open(const IntendedParts& parts, const std::string& key) {
    if (auto* tab = parts.tabs->view(key))
        parts.tabs->open(tab);
    else
        parts.panels->open(key);
}

void carryOutHere(const IntendedParts& parts, const widgets::Intent& intent) {
    if (std::holds_alternative<intents::MeasureHeads>(intent))
        if (const auto question = widgets::importanceQuestion(parts.document->state()))
            parts.results->forgetRefusal(*question); // it may be possible now
    carryOut(parts.document, intent);
}

/// On as long as a flag is chosen, which the document keeps.
const widgets::ChoiceSpec& connectFlag(const IntendedParts& parts, const widgets::ViewSpec& view,
                                       const widgets::ActionSpec& spec) {
    QAction* action = (*parts.actions)[widgets::actionKey(view, spec)];
    const auto& flag = *std::ranges::find(view.choices, spec.choice, &widgets::ChoiceSpec::name);
    QObject::connect(action, &QAction::toggled, parts.document, [document = parts.document, &flag](bool on) {
        document->choose(flag.view, flag.name, on);
    });
    QObject::connect(
        parts.document, &Document::stateChanged, action, [document = parts.document, action, &flag] {
            action->setChecked(widgets::chosenFlag(document->state(), flag.view.c_str(), flag.name.c_str()));
        });
    return flag;
}

/// The flag is on as long as the view is shown; isHidden() stays false when only the window is hidden or
/// shown.
void connectShown(const IntendedParts& parts, const widgets::ViewSpec& view,
                  const widgets::ActionSpec& spec) {
    const std::string key = view.key;
    QAction* action = (*parts.actions)[widgets::actionKey(view, spec)];
    const auto& flag = connectFlag(parts, view, spec);
    auto* dock = parts.panels->dock(key);
    if (!dock) {
        QObject::connect(action, &QAction::toggled, parts.sentence,
                         [sentence = parts.sentence, key](bool on) { sentence->setViewShown(key, on); });
        return;
    }
    QObject::connect(action, &QAction::toggled, dock, [panels = parts.panels, dock, key](bool on) {
        if (on && dock->isHidden())
            panels->open(key);
        else if (!on)
            dock->close();
    });
    QObject::connect(dock, &QDockWidget::visibilityChanged, parts.document,
                     [document = parts.document, dock, &flag] {
                         document->choose(flag.view, flag.name, !dock->isHidden());
                     });
}

void connectAction(const IntendedParts& parts, const widgets::ViewSpec& view,
                   const widgets::ActionSpec& spec) {
    const std::string key = view.key;
    const std::string name = widgets::actionKey(view, spec);
    QAction* action = (*parts.actions)[name];
    if (spec.does == Does::Show)
        return connectShown(parts, view, spec);
    auto* shown = viewOf(parts, key);
    if (!shown)
        return; // it has no place
    if (spec.does == Does::Choose)
        connectFlag(parts, view, spec);
    else
        QObject::connect(action, &QAction::triggered, shown, [parts, key, shown, &spec] {
            if (spec.does == Does::OpenOrReturn && parts.tabs->isOnTop(key))
                return parts.tabs->open(parts.tabs->headView());
            if (spec.does == Does::OpenOrClose && closesByItsKey(*parts.panels->dock(key)))
                return;
            if (spec.does != Does::Act)
                open(parts, key);
            if (*spec.name)
                shown->act(spec.name);
            if (spec.intent)
                carryOutHere(parts, spec.intent());
        });
    const auto follow = [actions = parts.actions, name, shown, &spec] {
        const QString whyNot = shown->whyNot(spec.name);
        actions->setEnabled(name, whyNot.isEmpty(), whyNot);
        if (const QString text = shown->nameOf(spec.name); !text.isEmpty())
            (*actions)[name]->setText(text);
    };
    QObject::connect(parts.document, &Document::stateChanged, shown, follow);
    QObject::connect(shown, &widgets::View::actionsChanged, shown, follow);
    follow();
}

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

void readFile(Document* document, QWidget* window) {
    const QString path =
        askFileToOpen({.window = window,
                       .title = Document::tr("Run Sentences"),
                       .filters = Document::tr("Sentences (*.txt *.tsv *.txt.gz *.tsv.gz);;All files (*)")});
    if (!path.isEmpty())
        document->readFile(path);
}

} // namespace

void connectActions(const IntendedParts& parts) {
    for (const auto& view : widgets::viewSpecs())
        for (const auto& action : view.actions)
            connectAction(parts, view, action);
}

void withholdActions(Actions& actions, const widgets::DocumentState& document) {
    for (const auto& view : widgets::viewSpecs()) {
        const auto ofView = widgets::lackOf(view, document);
        for (const auto& action : view.actions) {
            const auto lack = ofView || !action.lacks ? ofView : action.lacks(document);
            actions.withhold(widgets::actionKey(view, action),
                             lack ? QCoreApplication::translate("ViewSpec", lack->why) : QString());
        }
    }
}

void carryOut(const widgets::Intent& intent, widgets::View* view, const IntendedParts& parts) {
    for (const auto& spec : widgets::viewSpecs())
        for (const auto& action : spec.actions)
            if (action.intent && action.does == Does::Open && action.intent().index() == intent.index())
                return (*parts.actions)[widgets::actionKey(spec, action)]->trigger(); // opens the view, too
    auto* tabs = parts.tabs;
    const auto* read = std::get_if<intents::ReadSentences>(&intent);
    if (std::holds_alternative<intents::OpenHead>(intent) &&
        tabs->currentWidget()->isAncestorOf(QApplication::focusWidget()))
        tabs->open(tabs->headView());
    else if (std::holds_alternative<intents::OpenHead>(intent))
        tabs->setCurrentWidget(tabs->headView()); // the keys stay where the head was selected
    else if (const auto* shown = std::get_if<intents::ShowSelf>(&intent); shown && tabs->indexOf(view) >= 0)
        tabs->setCurrentIndex(tabs->indexOf(view));
    else if (shown)
        shown->isAsked ? parts.panels->open(view) : parts.panels->openBehind(view);
    else if (const auto* room = std::get_if<intents::MakeRoom>(&intent))
        parts.panels->makeRoom(view, room->on);
    else if (std::holds_alternative<intents::SavePicture>(intent))
        parts.exporter->savePicture(view);
    else if (const auto* offered = std::get_if<intents::OfferSecond>(&intent))
        offerSecond(offered->menu, parts);
    else if (read && read->from == intents::ReadSentences::From::File)
        readFile(parts.document, tabs->window());
    else if (const auto* decoded = std::get_if<intents::Decode>(&intent))
        parts.typed->decode(QString::fromStdString(decoded->sentence));
    else
        carryOut(parts.document, intent);
    for (auto* other : tabs->views())
        other->noteIntent(intent);
    if (std::holds_alternative<intents::ChooseToken>(intent))
        tabs->window()->setFocus(); // so that the arrow keys step through the tokens
}

} // namespace headscope::app
