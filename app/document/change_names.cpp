#include "app/document/change_names.h"

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
    return one - a.begin();
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

QString changedHeads(const SessionState& before, const SessionState& after) {
    if (after.pinnedHeads.size() > before.pinnedHeads.size())
        return Names::tr("Pin %1").arg(QString::fromStdString(trace::toString(after.pinnedHeads.back())));
    return after.pinnedHeads.empty() && before.pinnedHeads.size() > 1 ? Names::tr("Unpin All Heads")
                                                                      : Names::tr("Unpin Head");
}

} // namespace

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
    if (before.head != after.head)
        return Names::tr("Head");
    return before.step != after.step ? Names::tr("Step") : QString();
}

} // namespace headscope::app
