#pragma once

#include "tests/widgets/example_run.h"
#include "widgets/positional_encoding_view.h"

#include <array>
#include <random>

namespace headscope::example {

/// A run with the table of a trained model that learned its positions: slow waves and noise, and dimension 5
/// does nothing.
inline std::shared_ptr<trace::Run> withLearnedPositions(const trace::Run& run) {
    auto changed = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    trace::Matrix table(256, 64);
    std::mt19937 random(3);
    for (std::size_t position = 0; position < table.rows(); ++position)
        for (std::size_t dimension = 0; dimension < table.columns(); ++dimension) {
            const double noise = static_cast<double>(random()) / 0x80000000p0 - 1;
            const double wave =
                std::sin(static_cast<double>(position) * 0.3 / static_cast<double>(dimension + 1));
            const double loud = 0.02 * static_cast<double>(dimension);
            table(position, dimension) = dimension == 5 ? 0.5f : static_cast<float>(wave + loud * noise);
        }
    model->sourcePositions = model->targetPositions = std::make_shared<const trace::Matrix>(std::move(table));
    changed->model = std::move(model);
    return changed;
}

/// Words of different lengths, some of which point away from their positions.
inline widgets::TokenShares shares(const std::vector<trace::Token>& tokens) {
    widgets::TokenShares made{.tokens = tokens};
    for (std::size_t token = 0; token < tokens.size(); ++token) {
        const double word = token == 6 ? 1.08 : 0.5 + 0.45 * std::sin(static_cast<double>(7 * token));
        made.shares.push_back({.word = word, .position = 1 - word, .wordLength = 9, .positionLength = 5.657});
    }
    return made;
}

/// A first layer's scores as a sum of nine terms: waves of the words, slopes of the positions, and what is
/// the same for all keys.
inline std::shared_ptr<const trace::ScoreTerms> scoreTerms(const trace::Run& run, trace::AttentionSite site) {
    using trace::ScorePart;
    constexpr std::array parts{ScorePart::Word, ScorePart::Position, ScorePart::Bias};
    const auto& record = *run.record(site);
    auto made = std::make_shared<trace::ScoreTerms>();
    made->request = run.request;
    made->site = site;
    made->tokens = run.queryTokens(site.kind);
    made->scores = record.scores;
    made->mask = record.mask;
    const auto heads = record.scores.heads();
    const auto n = record.scores.rows();
    for (std::size_t query = 0; query < 3; ++query)
        for (std::size_t key = 0; key < 3; ++key)
            made->terms.push_back({.product = trace::ScoreTerm::Product{parts[query], parts[key]},
                                   .values = trace::HeadStack(heads, n, n)});
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c < n; ++c) {
                float rest = record.scores(h, r, c);
                for (std::size_t term = 1; term < 9; ++term) {
                    const std::size_t across = term % 3 == 2 ? 0 : c + 1; // a key's bias has no column
                    const float value =
                        (term == 4 ? -0.1f * std::abs(float(r) - float(c)) * float(h + 1) : 0.0f) +
                        0.7f * std::sin(float(r * term + 3 * across * term + h));
                    made->terms[term].values.at(h, r, c) = value;
                    rest -= value;
                }
                made->terms[0].values.at(h, r, c) = rest;
            }
    return made;
}

/// What the page of `view` asks of `run`.
inline widgets::PositionAnswer positionAnswer(const widgets::PositionalEncodingView& view,
                                              const std::shared_ptr<const trace::Run>& run) {
    using About = widgets::PositionQuestion::About;
    using Page = widgets::PositionalEncodingView::Page;
    const auto table = view.side() == widgets::PositionSide::Source ? run->model->sourcePositions
                                                                    : run->model->targetPositions;
    widgets::PositionAnswer answer;
    if (view.page() == Page::Scores) {
        const auto kind = view.side() == widgets::PositionSide::Source ? trace::AttentionKind::EncoderSelf
                                                                       : trace::AttentionKind::DecoderSelf;
        answer.question = {.about = About::Scores, .run = run, .site = {kind, 0}};
        answer.scores = scoreTerms(*run, {kind, 0});
        for (std::size_t head = 0; head < answer.scores->scores.heads(); ++head)
            answer.headShares.push_back(analysis::headScoreShares(*answer.scores, head));
    } else if (view.page() == Page::Words) {
        answer.question = {.about = About::Words, .run = run};
        answer.source = shares(run->source);
        answer.target = shares(run->target);
    } else if (view.page() == Page::Shift) {
        answer.question = {.about = About::Shift, .table = table, .offset = view.offset()};
        answer.shift = analysis::positionalShift(trace::view(*table), view.offset());
    } else {
        answer.question = {.about = About::Wavelengths, .table = table};
        answer.wavelengths = analysis::positionalWavelengths(trace::view(*table));
    }
    return answer;
}

} // namespace headscope::example
