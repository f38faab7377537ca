#include "widgets/views/positions/position_question.h"

#include "model/analysis/runs_beside.h"
#include "model/analysis/scores/score_shares.h"

#include "widgets/words/trace_words.h"
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

Errand answering(const PositionQuestion& question, const std::function<void(PositionAnswer)>& take) {
    Errand errand{.about = question, .refused = [=](const trace::RefusalText& text) {
                      take({.question = question, .whyNot = inWords(text)});
                  }};
    if (question.run)
        errand.ask = [=](trace::Answers& model, const trace::Task& work) -> Errand::Deliver {
            return [take, found = question.about == About::Scores
                                      ? takeApart(question, model, work)
                                      : read(question, model, work)] { take(found); };
        };
    else
        errand.count = [=](const trace::Task&) -> Errand::Deliver {
            return [take, found = measure(question)] { take(found); };
        };
    return errand;
}

} // namespace headscope::widgets
