#pragma once

#include "model/analysis/maps/recomputed_map.h"
#include "tests/widgets/example_run.h"

#include <random>

/// The example with the encoder's maps left out, and the same with them.
namespace headscope::example {

struct LongRuns {
    std::shared_ptr<const trace::Run> leftOut;
    std::shared_ptr<const trace::Run> kept;
};

inline LongRuns longRuns(int repeats = 6, std::size_t width = 8) {
    auto leftOut = run({.repeats = repeats, .sourcePadding = 2});
    auto model = std::make_shared<trace::ModelSummary>(*leftOut->model);
    model->headWidth = static_cast<int>(width);
    leftOut->model = model;
    auto kept = std::make_shared<trace::Run>(*leftOut);
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (std::size_t layer = 0; layer < leftOut->encoder.size(); ++layer) {
        auto& record = leftOut->encoder[layer];
        const auto tokens = record.queries();
        auto open = std::make_shared<trace::AllowedRanges>(tokens);
        for (std::size_t query = 0; query < tokens; ++query)
            open->addRow(record.allowedKeys(query));
        const auto vectors = [&] {
            trace::HeadStack stack(record.heads(), tokens, width);
            for (std::size_t head = 0; head < stack.heads(); ++head)
                for (std::size_t row = 0; row < tokens; ++row)
                    for (std::size_t d = 0; d < width; ++d)
                        stack.at(head, row, d) = normal(random);
            return stack;
        };
        record = {.site = record.site, .q = vectors(), .k = vectors()};
        record.rule = std::make_shared<trace::RecomputeRecipe>(trace::RecomputeRecipe{
            .scale = 1 / std::sqrt(static_cast<double>(width)), .closedScore = -1e9, .open = open});
        kept->encoder[layer] = analysis::withMaps(record);
    }
    return {leftOut, kept};
}

/// The example with a source of so many tokens, over which all maps are left out. Queries and keys are the
/// sinusoids of their positions, more or less sharp from head to head, and noise.
inline std::shared_ptr<trace::Run> longSource(std::size_t tokens, unsigned seed = 5) {
    constexpr std::size_t width = 16;
    auto made = run();
    const auto sentence = made->source;
    made->source.clear();
    for (std::size_t i = 0; i < tokens; ++i)
        made->source.push_back(sentence[i % (sentence.size() - 1)]);
    std::mt19937 random(seed);
    std::normal_distribution<float> noise(0, 0.3F);
    const auto positions = sinusoids(tokens, width);
    for (auto* records : {&made->encoder, &made->cross})
        for (auto& record : *records) {
            const auto vectors = [&](std::size_t rows) {
                trace::HeadStack stack(record.heads(), rows, width);
                for (std::size_t head = 0; head < stack.heads(); ++head)
                    for (std::size_t row = 0; row < rows; ++row)
                        for (std::size_t d = 0; d < width; ++d)
                            stack.at(head, row, d) =
                                positions(row * tokens / rows, d) * (1 + static_cast<float>(head)) / 2 +
                                noise(random);
                return stack;
            };
            const std::size_t rows = records == &made->encoder ? tokens : record.queries();
            auto open = std::make_shared<trace::AllowedRanges>(tokens);
            for (std::size_t row = 0; row < rows; ++row)
                open->addRow(std::vector<std::uint8_t>(tokens, 1));
            auto rule = std::make_shared<trace::RecomputeRecipe>(
                trace::RecomputeRecipe{.scale = 0.25, .closedScore = -1e9, .open = open});
            record = {.site = record.site, .q = vectors(rows), .k = vectors(tokens), .rule = rule};
        }
    auto model = std::make_shared<trace::ModelSummary>(*made->model);
    model->headWidth = width;
    made->model = model;
    return made;
}

} // namespace headscope::example
