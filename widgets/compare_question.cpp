#include "widgets/compare_question.h"

#include "model/trace/refusal.h"

namespace headscope::widgets {

namespace {

bool hasHead(const trace::Run& run, const trace::HeadAddress& head) {
    const auto* record = run.record(head.site);
    return record && head.head >= 0 && static_cast<std::size_t>(head.head) < record->heads();
}

void chooseOther(CompareAnswer& answer, const std::stop_token& stop) {
    const auto& [pair, head, other] = answer.question;
    if (other.choice == OtherHead::Choice::This && other.head.site.kind == head.site.kind &&
        hasHead(*pair.second, other.head)) {
        answer.other = other.head;
    } else if (other.choice != OtherHead::Choice::Nearest && hasHead(*pair.second, head)) {
        answer.other = head;
    } else if (const auto nearest =
                   analysis::nearestHead(*pair.first, head, *pair.second, answer.alignment, stop)) {
        answer.other = nearest->other;
        answer.nearest = nearest->divergence;
    }
}

} // namespace

analysis::RunAlignment alignmentOf(const ComparedPair& pair) {
    return pair.steps ? analysis::alignSteps(*pair.first, pair.steps->first, pair.steps->second)
                      : analysis::alignRuns(*pair.first, *pair.second);
}

bool canBeDrawn(const CompareAnswer& answer) {
    const auto kind = answer.question.head.site.kind;
    return answer.alignment.queriesOf(kind).places.size() * answer.alignment.keysOf(kind).places.size() <=
           mostComparedCells;
}

CompareAnswer answerOf(const CompareQuestion& question, std::stop_token stop) {
    const auto& [pair, head, chosen] = question;
    CompareAnswer answer{.question = question, .alignment = alignmentOf(pair)};
    answer.said = analysis::compareSaid(*pair.first, *pair.second, answer.alignment.by);
    trace::throwIfStopped(stop);
    chooseOther(answer, stop);
    if (answer.other) {
        const auto& queries = answer.alignment.queriesOf(head.site.kind);
        const auto& keys = answer.alignment.keysOf(head.site.kind);
        if (!canBeDrawn(answer))
            return answer;
        answer.maps = analysis::compareMaps(
            analysis::unitMap(*pair.first, head, queries.first, keys.first, stop),
            analysis::unitMap(*pair.second, *answer.other, queries.second, keys.second, stop), queries, keys);
    }
    return answer;
}

} // namespace headscope::widgets
