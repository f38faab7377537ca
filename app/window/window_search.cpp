#include "app/window/window_search.h"

#include "app/models/resource_folders.h"
#include "app/results/results.h"
#include "app/window/command_palette.h"
#include "app/window/frame/workbench.h"
#include "app/window/head_actions.h"
#include "app/window/home/manual_browser.h"
#include "app/window/top/model_button.h"
#include "model/analysis/heads/head_roles.h"
#include "widgets/drawing/token_label.h"
#include "widgets/view.h"
#include "widgets/views/places.h"
#include "widgets/words/statistic_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QPointer>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

using Kind = SearchEntry::Kind;
using analysis::RoleKind;

namespace {

/// Further words for roles; those of actions stand with the actions.
constexpr std::array roleSynonyms{
    std::pair(RoleKind::Aligning, QT_TRANSLATE_NOOP("WindowSearch", "alignment, aligned, aligner")),
    std::pair(RoleKind::Reversed, QT_TRANSLATE_NOOP("WindowSearch", "reverses, reversal")),
    std::pair(RoleKind::Positional, QT_TRANSLATE_NOOP("WindowSearch", "position, offset")),
    std::pair(RoleKind::Induction, QT_TRANSLATE_NOOP("WindowSearch", "copies, repetition")),
    std::pair(RoleKind::DuplicateToken, QT_TRANSLATE_NOOP("WindowSearch", "repetition"))};

QStringList synonymsOf(RoleKind kind) {
    const auto found = std::ranges::find(roleSynonyms, kind, [](const auto& each) { return each.first; });
    return found == roleSynonyms.end()
               ? QStringList()
               : QCoreApplication::translate("WindowSearch", found->second).split(QStringLiteral(", "));
}

/// Menus show the reason in the tooltip's second line.
SearchEntry entryOf(QAction* action, Kind kind = Kind::Action) {
    SearchEntry entry{.kind = kind,
                      .name = action->text().remove(QLatin1Char('&')).remove(QStringLiteral("...")),
                      .detail = action->shortcut().toString(QKeySequence::NativeText),
                      .synonyms = action->property(synonymsProperty).toStringList(),
                      .formerly = action->property(formerProperty).toStringList(),
                      .summary = action->toolTip().section('\n', 0, 0),
                      .trigger = [action = QPointer(action)] {
                          if (action)
                              action->trigger();
                      }};
    for (const auto& keys : action->shortcuts())
        entry.synonyms += keys.toString(QKeySequence::NativeText);
    if (!action->isEnabled())
        entry.whyNot = action->toolTip().section('\n', 1).simplified();
    if (!action->isEnabled() && entry.whyNot.isEmpty())
        entry.whyNot = WindowSearch::tr("Not available now.");
    return entry;
}

bool isOpenedByAction(const widgets::ViewSpec& spec) {
    using Does = widgets::ActionSpec::Does;
    return std::ranges::any_of(spec.actions, [](const auto& action) {
        return action.does == Does::Open || action.does == Does::OpenOrClose || action.does == Does::Show;
    });
}

} // namespace

WindowSearch::WindowSearch(const Parts& parts) : QObject(parts.window), parts_(parts) {
    connect((*parts.actions)[ActionId::CommandPalette], &QAction::triggered, this, [this] { open(); });
    connect((*parts.actions)[ActionId::Find], &QAction::triggered, this,
            [this] { open(QStringLiteral("@")); });
}

void WindowSearch::open(const QString& typed) {
    std::function<void()> trigger;
    {
        CommandPalette palette(entries(), whyNone(), parts_.window);
        palette.setTyped(typed);
        if (palette.exec() == QDialog::Accepted)
            trigger = palette.chosen()->trigger;
    }
    if (trigger) // now that the dialog is gone, as it may open another
        trigger();
}

std::vector<SearchEntry> WindowSearch::entries() {
    Entries entries;
    addActions(entries);
    addViews(entries);
    addModels(entries);
    addHeads(entries);
    addTokens(entries);
    addPages(entries);
    return entries;
}

void WindowSearch::addActions(Entries& entries) const {
    for (auto* action : parts_.actions->all())
        entries.push_back(entryOf(action));
    for (const auto* view : parts_.workbench->views())
        if (auto* menu = view->menu()) {
            Q_EMIT menu->aboutToShow();
            for (auto* offer : menu->actions())
                if (!offer->isSeparator())
                    entries.push_back(entryOf(offer));
        }
}

void WindowSearch::addViews(Entries& entries) const {
    const auto& document = parts_.document->state();
    for (const auto* view : parts_.workbench->views()) {
        const auto key = parts_.workbench->keyOf(view);
        const auto& spec = *widgets::viewSpec(key);
        if (isOpenedByAction(spec))
            continue;
        const char* title = document.model && spec.titleOf ? spec.titleOf(*document.model) : spec.title;
        const auto lack = widgets::lackOf(spec, document);
        SearchEntry entry{.name = QCoreApplication::translate("ViewSpec", title),
                          .detail = tr("View"),
                          .synonyms = {tr("show")},
                          .whyNot = lack ? QCoreApplication::translate("ViewSpec", lack->why) : QString(),
                          .trigger = [bench = parts_.workbench, key] { bench->open(key); }};
        if (*spec.synonyms)
            entry.synonyms +=
                QCoreApplication::translate("Actions", spec.synonyms).split(QStringLiteral(", "));
        entries.push_back(std::move(entry));
    }
}

void WindowSearch::addModels(Entries& entries) const {
    parts_.models->fill();
    const auto& inTable = parts_.actions->all();
    for (QAction* model : parts_.models->menu()->actions())
        if (!model->isSeparator() && std::ranges::find(inTable, model) == inTable.end()) {
            entries.push_back(entryOf(model, Kind::Model));
            entries.back().detail = tr("Model");
        }
}

void WindowSearch::showHead(const trace::HeadAddress& head) const {
    parts_.document->selection()->setHead(head);
    parts_.workbench->open(parts_.workbench->headView());
}

/// Heads of the selected kind come first, as "#2.5" names one of each kind.
void WindowSearch::addHeads(Entries& entries) {
    const auto& model = parts_.document->model();
    if (!model)
        return;
    statistics_ = widgets::shownStatistics({.document = &parts_.document->state(), .known = parts_.results},
                                           statistics_);
    static const std::vector<analysis::HeadStatistics> none;
    const auto& known = statistics_ ? *statistics_ : none;
    addRoles(entries, known);
    auto kinds = std::vector(trace::attentionKinds.begin(), trace::attentionKinds.end());
    std::ranges::stable_partition(
        kinds, [own = parts_.document->selection()->head().site.kind](auto kind) { return kind == own; });
    for (const auto kind : kinds)
        for (int layer = 0; layer < model->layers(kind); ++layer)
            for (int index = 0; index < model->heads(kind); ++index) {
                const trace::HeadAddress head{{kind, layer}, index};
                const QString name = QString::fromStdString(trace::toString(head));
                SearchEntry entry{.kind = Kind::Head,
                                  .name = tr("Head %1").arg(name),
                                  .detail = tr("Head"),
                                  .synonyms = {name},
                                  .trigger = [this, head] { showHead(head); }};
                const auto own = std::ranges::find(known, head, &analysis::HeadStatistics::head);
                const auto roles =
                    own == known.end() ? std::vector<analysis::HeadRole>() : analysis::rolesOf(*own);
                for (const auto& role : roles)
                    entry.synonyms += synonymsOf(role.kind) +
                                      QStringList(widgets::listedRoleName(role.kind, role.offset, nullptr));
                if (!roles.empty())
                    entry.detail = widgets::listedRoleName(roles.front().kind, roles.front().offset, nullptr);
                entries.push_back(std::move(entry));
            }
}

void WindowSearch::addRoles(Entries& entries, const std::vector<analysis::HeadStatistics>& heads) const {
    for (const auto& role : analysis::rolesAmong(heads)) {
        const QString name = widgets::listedRoleName(role.kind, role.offset, nullptr);
        SearchEntry entry{.kind = Kind::Head,
                          .name = tr("Heads with the role “%1”").arg(name),
                          .detail =
                              role.heads.size() == 1 ? tr("1 head") : tr("%1 heads").arg(role.heads.size()),
                          .synonyms = QStringList(name) + synonymsOf(role.kind),
                          .trigger = [actions = parts_.heads, name] { actions->findHeads(name); }};
        if (role.nearest) {
            const auto numbers = widgets::hasAndNeeds(role.nearest->role);
            const auto head = role.nearest->head;
            entry.name =
                tr("Nearest to the role “%1”: %2").arg(name, QString::fromStdString(trace::toString(head)));
            entry.detail = tr("has %1, needs %2").arg(numbers.has, numbers.needs);
            entry.trigger = [this, head] { showHead(head); };
        }
        entries.push_back(std::move(entry));
    }
}

void WindowSearch::addTokens(Entries& entries) const {
    const auto run = parts_.document->run();
    if (!run)
        return;
    const auto source = widgets::tokenLabels(run->source);
    for (int i = 0; i < std::ssize(source); ++i)
        entries.push_back({.kind = Kind::Token,
                           .name = source[i].text,
                           .detail = tr("Source token %1").arg(i),
                           .trigger = [selection = parts_.document->selection(), i] {
                               selection->clearPinned();
                               selection->togglePinned({.sourceKey = i});
                           }});
    const auto chosen = widgets::tokenLabels(run->next);
    for (int t = 0; t < std::ssize(chosen); ++t) {
        const auto goTo = [controller = parts_.document->controller(), t] { controller->goTo(t); };
        const QString step = tr("Step %1").arg(t + 1); // as beside the keys that step
        entries.push_back({.kind = Kind::Token, .name = chosen[t].text, .detail = step, .trigger = goTo});
        entries.push_back({.kind = Kind::Step,
                           .name = step,
                           .detail = widgets::quoted(chosen[t]),
                           .synonyms = {QString::number(t + 1)},
                           .trigger = goTo});
    }
}

void WindowSearch::addPages(Entries& entries) {
    static const auto headings = ManualBrowser::headingsOf(QString::fromStdString(manualFolder().string()));
    for (const auto& heading : headings)
        entries.push_back({.kind = Kind::Page,
                           .name = heading.title,
                           .detail = tr("Manual"),
                           .trigger = [this, target = heading.target] { Q_EMIT pageChosen(target); }});
}

std::map<Kind, QString> WindowSearch::whyNone() const {
    const auto& model = parts_.document->model();
    if (!model)
        return {{Kind::Head, tr("No model is open.")},
                {Kind::Token, tr("No model is open.")},
                {Kind::Step, tr("No model is open.")}};
    QStringList sizes;
    for (const auto kind : trace::attentionKinds)
        if (model->layers(kind) > 0)
            sizes += tr("%1 (layers: %2, heads per layer: %3)")
                         .arg(QString::fromStdString(std::string(trace::name(kind))))
                         .arg(model->layers(kind))
                         .arg(model->heads(kind));
    return {
        {Kind::Head, tr("No such head or role. %1; layers and heads count from 0.").arg(sizes.join(", "))},
        {Kind::Token, tr("No such token in this sentence.")},
        {Kind::Step, (model->decoderLayers > 0 ? tr("Decoded steps: %1.")
                      : model->tokenLabels > 0 ? tr("Labelled tokens: %1.")
                                               : tr("Masks in the text: %1."))
                         .arg(parts_.document->controller()->steps())}};
}

} // namespace headscope::app
