#include "widgets/scale_question.h"

#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t bins = 60;
constexpr std::size_t curvePoints = 121; ///< 1 is one of them

} // namespace

ScaleAnswer answerOf(const ScaleQuestion& question, std::vector<analysis::HeadSpread> knownSpreads,
                     std::stop_token stop) {
    std::vector<trace::HeadAddress> heads;
    for (const auto& head : analysis::headsOf(*question.run))
        if (question.scope == ScoreScope::Model || head == question.head ||
            (question.scope == ScoreScope::Layer && head.site == question.head.site))
            heads.push_back(head);
    ScaleAnswer answer{.question = question, .spreads = std::move(knownSpreads)};
    if (question.counts != ScaleCounts::Spreads)
        answer.scores = analysis::scoresOnOneAxis(*question.run, heads, bins, stop);
    if (question.counts != ScaleCounts::Scores && answer.spreads.empty())
        answer.spreads = analysis::spreadOfHeads(*question.run, stop);
    if (question.counts != ScaleCounts::All)
        return answer;
    if (const auto scores = analysis::openScores(*question.run, question.head))
        answer.curve = analysis::entropyOverTemperature(*scores, curvePoints, stop);
    return answer;
}

} // namespace headscope::widgets
