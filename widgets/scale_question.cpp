#include "widgets/scale_question.h"

#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t bins = 60;
constexpr std::size_t curvePoints = 121; ///< 1 is one of them

} // namespace

ScaleAnswer answerOf(const ScaleQuestion& question, std::vector<analysis::HeadSpread> knownSpreads,
                     const trace::LongWork& work) {
    std::vector<trace::HeadAddress> heads;
    for (const auto& head : analysis::headsOf(*question.run))
        if (question.scope == ScoreScope::Model || head == question.head ||
            (question.scope == ScoreScope::Layer && head.site == question.head.site))
            heads.push_back(head);
    ScaleAnswer answer{.question = question, .spreads = std::move(knownSpreads)};
    const bool asksAll = question.counts == ScaleCounts::All;
    if (question.counts != ScaleCounts::Spreads)
        answer.scores =
            analysis::scoresOnOneAxis(*question.run, heads, bins, asksAll ? work.part(0, 3) : work);
    if (question.counts != ScaleCounts::Scores && answer.spreads.empty())
        answer.spreads = analysis::spreadOfHeads(*question.run, asksAll ? work.part(1, 3) : work);
    if (!asksAll)
        return answer;
    if (const auto scores = analysis::openScores(*question.run, question.head))
        answer.curve = analysis::entropyOverTemperature(*scores, curvePoints, work.part(2, 3));
    return answer;
}

} // namespace headscope::widgets
