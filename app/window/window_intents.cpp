#include "app/window/window_intents.h"

#include "app/desktop/actions.h"
#include "app/desktop/file_dialogs.h"
#include "app/document/document.h"
#include "app/document/intents.h"
#include "app/export/figure_exporter.h"
#include "app/results/results.h"
#include "app/window/frame/workbench.h"
#include "app/window/top/model_button.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/typed_sentence.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace headscope::app {

namespace intents = widgets::intents;

using Does = widgets::ActionSpec::Does;

namespace {

/// The view of a window, wherever it stands; null if it has no place there.
widgets::View* viewOf(const IntendedParts& parts, const std::string& key) {
    auto* found = parts.workbench->view(key);
    return found ? found : parts.sentence->view(key);
}

void carryOutHere(const IntendedParts& parts, const widgets::Intent& intent) {
    if (std::holds_alternative<intents::MeasureHeads>(intent))
        if (const auto question = widgets::importanceQuestion(parts.document->state()))
            parts.results->forgetRefusal(*question); // it may be possible now
    carryOut(parts.document, intent);
}

/// On as long as a flag is chosen, which the document keeps.
void connectFlag(const IntendedParts& parts, const widgets::ViewSpec& view, const widgets::ActionSpec& spec) {
    QAction* action = (*parts.actions)[widgets::actionKey(view, spec)];
    const auto& flag = *std::ranges::find(view.choices, spec.choice, &widgets::ChoiceSpec::name);
    QObject::connect(action, &QAction::toggled, parts.document, [document = parts.document, &flag](bool on) {
        document->choose(flag.view, flag.name, on);
    });
    QObject::connect(
        parts.document, &Document::stateChanged, action, [document = parts.document, action, &flag] {
            action->setChecked(widgets::chosenFlag(document->state(), flag.view.c_str(), flag.name.c_str()));
        });
}

/// The view is opened with the flag, and closed without it.
void connectShown(const IntendedParts& parts, const widgets::ViewSpec& view,
                  const widgets::ActionSpec& spec) {
    connectFlag(parts, view, spec);
    QAction* action = (*parts.actions)[widgets::actionKey(view, spec)];
    QObject::connect(action, &QAction::toggled, parts.workbench,
                     [parts, key = std::string(view.key)](bool on) {
                         if (!parts.workbench->view(key))
                             parts.sentence->setViewShown(key, on);
                         else
                             on ? parts.workbench->open(key) : parts.workbench->close(key);
                     });
}

void connectAction(const IntendedParts& parts, const widgets::ViewSpec& view,
                   const widgets::ActionSpec& spec) {
    const std::string key = view.key;
    QAction* action = (*parts.actions)[widgets::actionKey(view, spec)];
    if (spec.does == Does::Show)
        return connectShown(parts, view, spec);
    if (spec.does == Does::Choose)
        return connectFlag(parts, view, spec);
    QObject::connect(action, &QAction::triggered, parts.workbench, [parts, key, &spec] {
        auto* shown = viewOf(parts, key);
        if (!shown || (spec.does == Does::OpenOrClose && parts.workbench->closesByItsKey(key)))
            return; // it has no place, or had the keys
        if (spec.does != Does::Act)
            parts.workbench->open(key);
        if (*spec.name)
            shown->act(spec.name);
        if (spec.intent)
            carryOutHere(parts, spec.intent());
    });
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
            &QAction::triggered, document, [open, folder, window = parts.workbench->window()] {
                if (const QString path = chosenModel(window, folder); !path.isEmpty())
                    open(path);
            });
    QAction* close = menu->addAction(SecondWords::tr("Close the Second Model"));
    close->setEnabled(document->state().second.model != nullptr);
    close->setToolTip(close->isEnabled() ? SecondWords::tr("Free its memory")
                                         : SecondWords::tr("No second model is open."));
    QObject::connect(close, &QAction::triggered, document, [open] { open({}); });
}

void open(const intents::Open& wanted, const IntendedParts& parts) {
    const auto& spec = *widgets::viewSpec(wanted.view);
    if (wanted.action.empty())
        return parts.workbench->open(wanted.view);
    const auto& action = *std::ranges::find(spec.actions, wanted.action, &widgets::ActionSpec::name);
    (*parts.actions)[widgets::actionKey(spec, action)]->trigger();
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

void followActions(widgets::View* view, const IntendedParts& parts) {
    const auto* spec = widgets::viewSpec(parts.workbench->keyOf(view));
    for (const auto& action : spec->actions) {
        if (action.does == Does::Show)
            continue;
        const auto follow = [actions = parts.actions, name = widgets::actionKey(*spec, action), view,
                             &action] {
            const QString whyNot = view->whyNot(action.name);
            actions->setEnabled(name, whyNot.isEmpty(), whyNot);
            if (const QString text = view->nameOf(action.name); !text.isEmpty())
                (*actions)[name]->setText(text);
        };
        QObject::connect(parts.document, &Document::stateChanged, view, follow);
        QObject::connect(view, &widgets::View::actionsChanged, view, follow);
        follow();
    }
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
    auto* bench = parts.workbench;
    const auto* read = std::get_if<intents::ReadSentences>(&intent);
    if (std::holds_alternative<intents::OpenHead>(intent)) {
        const auto head = bench->headView();
        const bool leaves = bench->front()->isAncestorOf(QApplication::focusWidget());
        leaves ? bench->open(head) : bench->show(head); // the keys stay where the head was selected
    } else if (const auto* shown = std::get_if<intents::ShowSelf>(&intent))
        shown->isAsked ? bench->open(bench->keyOf(view)) : bench->openBehind(bench->keyOf(view));
    else if (std::holds_alternative<intents::SavePicture>(intent))
        parts.exporter->savePicture(view);
    else if (const auto* found = std::get_if<intents::FindHeads>(&intent))
        for (auto* lists : bench->views())
            lists->findHeads(QString::fromStdString(found->words));
    else if (const auto* opened = std::get_if<intents::Open>(&intent))
        open(*opened, parts);
    else if (const auto* offered = std::get_if<intents::OfferSecond>(&intent))
        offerSecond(offered->menu, parts);
    else if (read && read->from == intents::ReadSentences::From::File)
        readFile(parts.document, bench->window());
    else if (const auto* decoded = std::get_if<intents::Decode>(&intent)) {
        if (decoded->second)
            parts.sentence->setSecondText(decoded->second);
        parts.typed->decode(QString::fromStdString(decoded->sentence));
    } else
        carryOut(parts.document, intent);
    for (auto* other : bench->views())
        other->noteIntent(intent);
    if (std::holds_alternative<intents::ChooseToken>(intent))
        bench->window()->setFocus(); // so that the arrow keys step through the tokens
}

} // namespace headscope::app
