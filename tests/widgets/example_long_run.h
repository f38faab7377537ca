#pragma once

#include "model/analysis/recomputed_map.h"
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
    auto kept = std::make_shared<trace::Run>(*leftOut);
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (std::size_t layer = 0; layer < leftOut->encoder.size(); ++layer) {
        auto& record = leftOut->encoder[layer];
        const auto tokens = record.queries();
        auto open = std::make_shared<trace::OpenRanges>(tokens);
        for (std::size_t query = 0; query < tokens; ++query)
            open->addRow(record.openKeys(query));
        const auto vectors = [&] {
            trace::HeadStack stack(record.heads(), tokens, width);
            for (std::size_t head = 0; head < stack.heads(); ++head)
                for (std::size_t row = 0; row < tokens; ++row)
                    for (std::size_t d = 0; d < width; ++d)
                        stack.at(head, row, d) = normal(random);
            return stack;
        };
        record = {.site = record.site, .q = vectors(), .k = vectors()};
        record.rule = std::make_shared<trace::MapRule>(trace::MapRule{
            .scale = 1 / std::sqrt(static_cast<double>(width)), .closedScore = -1e9, .open = open});
        kept->encoder[layer] = analysis::withMaps(record);
    }
    return {leftOut, kept};
}

} // namespace headscope::example
