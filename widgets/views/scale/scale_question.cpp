#include "widgets/views/scale/scale_question.h"

#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t bins = 60;
constexpr std::size_t curvePoints = 121; ///< so that one of them is 1
constexpr std::size_t pointsOfMany = 31; ///< for curves of several heads; one of them is 1

/// What `before` has of an answer, at any temperature.
ScaleAnswer partsOf(const ScaleQuestion& question) {
    ScaleAnswer known{.question = question};
    known.question.before = nullptr;
    const auto& before = question.before;
    if (!before || before->question.run != question.run)
        return known;
    const bool isOfHeads = headsOf(before->question) == headsOf(question);
    known.spreads = before->spreads;
    if (before->question.head == question.head)
        known.curve = before->curve;
    if (isOfHeads)
        known.scores = before->scores;
    if (isOfHeads)
        known.curves = before->curves;
    return known;
}

ScaleAnswer atTemperature(ScaleAnswer answer, const trace::Task& work) {
    const auto& question = answer.question;
    const auto heads = headsOf(question);
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

ScaleAnswer answerOf(const ScaleQuestion& question, const trace::Task& work) {
    ScaleAnswer answer = partsOf(question);
    if (question.counts == ScaleCounts::Heads)
        return atTemperature(std::move(answer), work);
    const bool asksAll = question.counts == ScaleCounts::All;
    if (question.counts != ScaleCounts::Spreads)
        answer.scores = analysis::scoresOnOneAxis(*question.run, headsOf(question), bins,
                                                  asksAll ? work.part(0, 3) : work, question.temperature,
                                                  std::exchange(answer.scores, {}));
    if (question.counts != ScaleCounts::Scores && answer.spreads.empty())
        answer.spreads = analysis::spreadOfHeads(*question.run, asksAll ? work.part(1, 3) : work);
    if (!asksAll || !answer.curve.entropies.empty())
        return answer;
    if (const auto scores = analysis::openScores(*question.run, question.head))
        answer.curve = analysis::entropyOverTemperature(*scores, curvePoints, work.part(2, 3));
    return answer;
}

ScaleAnswer ScaleQuestion::count(const trace::Task& work) const {
    return answerOf(*this, work);
}

TwinSpreads::Value TwinSpreads::ask(trace::Answers& model, const trace::Task& work) const {
    return analysis::spreadOfHeads(*model.of(request, trace::RunWhat(), work));
}

} // namespace headscope::widgets
