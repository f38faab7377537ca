#pragma once

#include "tests/widgets/example_run.h"

/// The example's run, and a twin with random weights that reads its output.
namespace headscope::example {

struct TwinRuns {
    std::shared_ptr<trace::Run> shown;
    std::shared_ptr<trace::Run> twin; ///< says the start token over and over by itself
};

/// Weights that hardly prefer anything.
inline void flatten(std::vector<trace::AttentionRecord>& records) {
    for (auto& record : records)
        for (std::size_t h = 0; h < record.weights.heads(); ++h)
            for (std::size_t r = 0; r < record.weights.rows(); ++r) {
                double sum = 0;
                const auto weight = [&](std::size_t c) {
                    return record.mask(r, c) ? 1 + 0.8 * std::sin(double(r * 5 + c * 11 + h * 3)) : 0;
                };
                for (std::size_t c = 0; c < record.weights.columns(); ++c)
                    sum += weight(c);
                for (std::size_t c = 0; c < record.weights.columns(); ++c)
                    record.weights.at(h, r, c) = sum > 0 ? static_cast<float>(weight(c) / sum) : 0;
            }
}

inline TwinRuns twinRuns(std::shared_ptr<const trace::Run> shown) {
    TwinRuns runs{.shown = std::make_shared<trace::Run>(*shown),
                  .twin = std::make_shared<trace::Run>(*shown)};
    auto model = std::make_shared<trace::ModelSummary>(*shown->model);
    model->targetVocabulary = 8000;
    runs.shown->model = model;
    for (const auto node : runs.shown->path)
        runs.shown->tree.setLogProbability(node, -0.2 - 0.1 * double(node % 4), 0);
    for (const auto node : runs.twin->path)
        runs.twin->tree.setLogProbability(node, -9 - 0.3 * double((node + 4) % 5), 0);
    for (auto* records : {&runs.twin->encoder, &runs.twin->decoder, &runs.twin->cross})
        flatten(*records);
    runs.twin->request.randomTwin = 1;
    trace::DecodeTree::NodeId said = 0;
    for (int i = 0; i < 24; ++i)
        said = runs.twin->tree.add({.parent = said, .token = runs.twin->target.front()});
    runs.twin->paths = {{.leaf = said}, {.leaf = runs.twin->path.back()}};
    return runs;
}

} // namespace headscope::example
