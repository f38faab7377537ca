#include "app/document/change_names.h"

#include "widgets/view_spec.h"
#include "widgets/words/change_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::app {

namespace {

struct Names {
    Q_DECLARE_TR_FUNCTIONS(ChangeNames)
};

using List = std::vector<trace::Intervention>;

std::size_t firstDifference(const List& a, const List& b) {
    const auto [one, other] = std::ranges::mismatch(a, b);
    return static_cast<std::size_t>(one - a.begin());
}

QString added(const List& before, const List& after) {
    const std::size_t place = firstDifference(before, after);
    return widgets::changeTitle(after[place].change);
}

QString removed(const List& before, const List& after) {
    if (after.empty() && before.size() > 1)
        return Names::tr("Clear All Changes");
    const auto& change = before[firstDifference(before, after)].change;
    const auto* head = std::get_if<trace::ScaleHead>(&change);
    return head && head->factor == 0 ? widgets::enableTitle(head->head)
                                     : Names::tr("Remove: %1").arg(widgets::changeTitle(change));
}

QString changedList(const List& before, const List& after) {
    if (after.size() > before.size())
        return added(before, after);
    if (after.size() < before.size())
        return removed(before, after);
    const std::size_t place = firstDifference(before, after);
    const QString title = widgets::changeTitle(after[place].change);
    if (before[place].change != after[place].change)
        return title;
    return after[place].on ? Names::tr("Switch on: %1").arg(title) : Names::tr("Switch off: %1").arg(title);
}

QString changedPaths(const std::vector<trace::DecodePath>& before,
                     const std::vector<trace::DecodePath>& after) {
    if (after.size() < before.size())
        return Names::tr("Remove a Branch");
    const bool isForced = !std::holds_alternative<std::monostate>(after.back().forced);
    if (after.size() > before.size())
        return isForced && after.back().newTokens == 0 ? Names::tr("Force a Translation")
                                                       : Names::tr("Continue with Token");
    return Names::tr("Decode");
}

QString changedRequest(const trace::Request& before, const trace::Request& after) {
    if (before.source != after.source)
        return Names::tr("Sentence");
    if (before.interventions != after.interventions)
        return changedList(before.interventions, after.interventions);
    if (before.decoding != after.decoding)
        return Names::tr("Decoding Options");
    if (before.padding != after.padding)
        return Names::tr("Padding");
    if (before.paths != after.paths)
        return changedPaths(before.paths, after.paths);
    return Names::tr("Decode");
}

bool isClosed(const std::string& panel) {
    return panel.ends_with(" closed");
}

/// Names the change of the panels (PanelPlaces::words()), specifically if panels were only opened, closed or
/// moved.
QString changedPanels(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    int opened = 0, closed = 0, moved = 0;
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        opened += isClosed(before[i]) && !isClosed(after[i]);
        closed += !isClosed(before[i]) && isClosed(after[i]);
        moved += isClosed(before[i]) == isClosed(after[i]) && before[i] != after[i];
    }
    if (opened == 1 && closed == 0)
        return Names::tr("Open Panel");
    if (closed == 1 && opened == 0)
        return Names::tr("Close Panel");
    return opened + closed == 0 && moved > 0 ? Names::tr("Move Panel") : choiceName("window", "panels");
}

/// Names the user's last drag (PanelPlaces::arrangement()).
QString changedArrangement(const std::string& after) {
    return after.starts_with("resize") ? Names::tr("Resize Panels") : Names::tr("Move Panel");
}

/// Names the first choice that differs; empty if none does.
QString changedChoice(const widgets::Choices& before, const widgets::Choices& after) {
    for (const auto& rule : widgets::choiceSpecs()) {
        const auto valueIn = [&rule](const widgets::Choices& choices) -> const widgets::ChoiceValue* {
            const auto view = choices.find(rule.view);
            if (view == choices.end() || !view->second.contains(rule.name))
                return nullptr;
            return &view->second.at(rule.name);
        };
        const auto *one = valueIn(before), *other = valueIn(after);
        if (!one || !other || *one == *other)
            continue;
        if (rule.name == "panels")
            return changedPanels(std::get<std::vector<std::string>>(*one),
                                 std::get<std::vector<std::string>>(*other));
        return rule.name == "arrangement" ? changedArrangement(std::get<std::string>(*other))
                                          : choiceName(rule.view, rule.name);
    }
    return {};
}

QString changedHeads(const SessionState& before, const SessionState& after) {
    if (after.pinnedHeads.size() > before.pinnedHeads.size())
        return Names::tr("Pin %1").arg(QString::fromStdString(trace::toString(after.pinnedHeads.back())));
    return after.pinnedHeads.empty() && before.pinnedHeads.size() > 1 ? Names::tr("Unpin All Heads")
                                                                      : Names::tr("Unpin Head");
}

} // namespace

QString choiceName(const std::string& view, const std::string& name) {
    const auto* choice = widgets::choiceSpec(view, name);
    if (choice && *choice->title)
        return QCoreApplication::translate("ChoiceSpec", choice->title);
    const auto* spec = widgets::viewSpec(view); // a view with few choices names them all by its title
    return spec && *spec->title ? QCoreApplication::translate("ViewSpec", spec->title) : Names::tr("Choice");
}

QString changeName(const SessionState& before, const SessionState& after) {
    if (before.model != after.model)
        return Names::tr("Open Model");
    if (before.request && after.request && *before.request != *after.request)
        return changedRequest(*before.request, *after.request);
    if (!before.request != !after.request)
        return Names::tr("Sentence");
    if (before.shown != after.shown)
        return Names::tr("Branch");
    if (before.newTokens != after.newTokens)
        return Names::tr("Decoding Options");
    if (before.pinnedHeads != after.pinnedHeads)
        return changedHeads(before, after);
    if (before.pinned != after.pinned)
        return after.pinned == LitTokens() ? Names::tr("Unpin") : Names::tr("Pin");
    if (before.view != after.view)
        return Names::tr("View");
    if (before.head != after.head)
        return Names::tr("Head");
    if (before.step != after.step)
        return Names::tr("Step");
    return changedChoice(before.choices, after.choices);
}

} // namespace headscope::app
