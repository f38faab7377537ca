#pragma once

#include "tests/widgets/example_run.h"
#include "widgets/positional_encoding_view.h"

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

/// What the page of `view` asks of `run`.
inline widgets::PositionAnswer positionAnswer(const widgets::PositionalEncodingView& view,
                                              const std::shared_ptr<const trace::Run>& run) {
    using About = widgets::PositionQuestion::About;
    using Page = widgets::PositionalEncodingView::Page;
    const auto table = view.side() == widgets::PositionSide::Source ? run->model->sourcePositions
                                                                    : run->model->targetPositions;
    widgets::PositionAnswer answer;
    if (view.page() == Page::Words) {
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
