#include "widgets/views/scale/scale_question.h"

#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t bins = 60;
constexpr std::size_t curvePoints = 121; ///< so that one of them is 1
constexpr std::size_t pointsOfMany = 31; ///< for curves of several heads; one of them is 1

ScaleAnswer atTemperature(const ScaleQuestion& question, std::vector<analysis::HeadCurve> curves,
                          const trace::Task& work) {
    const auto heads = headsOf(question);
    ScaleAnswer answer{.question = question, .curves = std::move(curves)};
    const double ofCurves = answer.curves.empty() ? 0.9 : 0;
    answer.heads = analysis::headsAtTemperature(*question.run, heads, question.temperature,
                                                work.between(0, 1 - ofCurves));
    if (answer.curves.empty())
        answer.curves =
            analysis::headsOverTemperature(*question.run, heads, pointsOfMany, work.between(1 - ofCurves, 1));
    return answer;
}

} // namespace

std::vector<trace::HeadAddress> headsOf(const ScaleQuestion& question) {
    std::vector<trace::HeadAddress> heads;
    for (const auto& head : analysis::headsOf(*question.run))
        if (question.scope == ScoreScope::Model || head == question.head ||
            (question.scope == ScoreScope::Layer && head.site == question.head.site))
            heads.push_back(head);
    return heads;
}

ScaleAnswer answerOf(const ScaleQuestion& question, ScaleKnown known, const trace::Task& work) {
    if (question.counts == ScaleCounts::Heads)
        return atTemperature(question, std::move(known.curves), work);
    ScaleAnswer answer{
        .question = question, .spreads = std::move(known.spreads), .curve = std::move(known.curve)};
    const bool asksAll = question.counts == ScaleCounts::All;
    if (question.counts != ScaleCounts::Spreads)
        answer.scores =
            analysis::scoresOnOneAxis(*question.run, headsOf(question), bins,
                                      asksAll ? work.part(0, 3) : work, question.temperature, known.scores);
    if (question.counts != ScaleCounts::Scores && answer.spreads.empty())
        answer.spreads = analysis::spreadOfHeads(*question.run, asksAll ? work.part(1, 3) : work);
    if (!asksAll || !answer.curve.entropies.empty())
        return answer;
    if (const auto scores = analysis::openScores(*question.run, question.head))
        answer.curve = analysis::entropyOverTemperature(*scores, curvePoints, work.part(2, 3));
    return answer;
}

} // namespace headscope::widgets
