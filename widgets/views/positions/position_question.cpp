#include "widgets/views/positions/position_question.h"

#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::widgets {

namespace {

using About = PositionQuestion::About;

trace::Request readingOf(const PositionQuestion& question) {
    return analysis::readingRequest(analysis::shownRequest(*question.run), *question.run);
}

TokenShares sharesOf(const std::vector<trace::Token>& tokens, analysis::EmbeddingSums embedding) {
    return {tokens, analysis::embeddingShares(embedding), std::move(embedding)};
}

/// The stream after the embedding is word + position, but runs only store it, and queries and keys, on
/// request.
PositionAnswer read(const PositionQuestion& question, trace::Answers& model, const trace::Task& work) {
    auto request = readingOf(question);
    if (question.about == About::Words)
        request.recording.residual = true;
    else
        request.recording.projections = true;
    auto run = model.of(std::move(request), trace::RunWhat(), work);
    if (question.about == About::Rotation)
        return {.question = question, .projected = std::move(run)};
    return {.question = question,
            .source = sharesOf(run->source, analysis::sourceEmbedding(*run)),
            .target = sharesOf(run->target, analysis::targetEmbedding(*run))};
}

PositionAnswer takeApart(const PositionQuestion& question, trace::Answers& model, const trace::Task& work) {
    PositionAnswer found{.question = question};
    found.scores = model.of(readingOf(question), trace::ScoreTermsWhat{question.site}, work);
    for (std::size_t head = 0; head < found.scores->scores.heads(); ++head) {
        trace::throwIfStopped(work);
        found.headShares.push_back(analysis::headScoreShares(*found.scores, head));
    }
    return found;
}

PositionAnswer measure(const PositionQuestion& question) {
    PositionAnswer found{.question = question};
    const auto table = trace::view(*question.table);
    if (question.about == About::Wavelengths)
        found.wavelengths = analysis::positionalWavelengths(table);
    else
        found.shift = analysis::positionalShift(table, question.offset);
    if (found.shift.map == analysis::PositionalShift::Map::Rotation)
        found.fittedShift = analysis::fittedShift(table, question.offset);
    return found;
}

} // namespace

PositionAnswer MeasuredTable::count(const trace::Task& /*work*/) const {
    return measure(question);
}

PositionAnswer ReadAgain::ask(trace::Answers& model, const trace::Task& work) const {
    return question.about == About::Scores ? takeApart(question, model, work) : read(question, model, work);
}

trace::Wanted wanted(const PositionQuestion& question) {
    return question.run ? trace::Counted(ReadAgain{question}) : trace::Counted(MeasuredTable{question});
}

std::shared_ptr<const PositionAnswer> answerOf(const trace::KnownAnswers& known,
                                               const PositionQuestion& question) {
    return question.run ? known.of(ReadAgain{question}) : known.of(MeasuredTable{question});
}

} // namespace headscope::widgets
