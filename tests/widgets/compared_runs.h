#pragma once

#include "tests/widgets/example_run.h"

/// What a what-if comparison shows: the example's run, and the same model with a head switched off.
namespace headscope::example {

/// `run` with distributions over 40 tokens at every step that prefer the chosen one by `lead`, less and less
/// so by `decline` a step.
inline void addDistributions(trace::Run& run, double lead, double decline) {
    constexpr std::size_t vocabulary = 40;
    for (std::size_t t = 0; t < run.target.size(); ++t) {
        std::vector<double> scores(vocabulary);
        double sum = 0;
        for (std::size_t v = 0; v < vocabulary; ++v) {
            scores[v] = std::sin(static_cast<double>(v * 3 + t));
            if (static_cast<std::int64_t>(v) == run.next[t].id)
                scores[v] += lead - decline * static_cast<double>(t);
            sum += std::exp(scores[v]);
        }
        auto row = std::make_shared<trace::DecodeRow>(run.row(t));
        for (const double score : scores)
            row->logProbabilities.push_back(static_cast<float>(score - std::log(sum)));
        run.tree.setRow(run.path[t], std::move(row));
    }
}

struct ComparedRuns {
    std::shared_ptr<trace::Run> changed; ///< decoded freely: “ihrer” instead of “seiner”
    std::shared_ptr<trace::Run> original;
    std::shared_ptr<trace::Run> forced;
};

inline std::vector<trace::Intervention> changes() {
    return {{trace::ScaleHead{.head = aligningHead}},
            {trace::SoftmaxTemperature{.temperature = 2}, false},
            {trace::BlockCell{.head = {{trace::AttentionKind::Cross, 0}, 1}, .query = 4, .key = 5}},
            {trace::ForceRow{.head = {{trace::AttentionKind::Cross, 0}, 1}, .query = 6}},
            {trace::ForceRow{.head = {{trace::AttentionKind::Cross, 0}, 2}, .query = 600}}};
}

/// All scores times `factor`, and the weights that go with them.
inline void scaleScores(trace::Run& run, double factor) {
    for (auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (auto& record : *records)
            for (std::size_t h = 0; h < record.scores.heads(); ++h)
                for (std::size_t r = 0; r < record.mask.rows(); ++r) {
                    double sum = 0;
                    for (std::size_t c = 0; c < record.mask.columns(); ++c) {
                        float& score = record.scores.at(h, r, c);
                        score = static_cast<float>(score * factor);
                        sum += record.mask(r, c) ? std::exp(double(score)) : 0;
                    }
                    for (std::size_t c = 0; c < record.mask.columns(); ++c)
                        if (record.mask(r, c))
                            record.weights.at(h, r, c) =
                                static_cast<float>(std::exp(double(record.scores(h, r, c))) / sum);
                }
}

inline ComparedRuns comparedRuns() {
    ComparedRuns runs{.changed = run(), .original = run(), .forced = run()};
    for (auto* made : {&runs.changed, &runs.forced}) {
        (*made)->request.interventions = changes();
        (*made)->unreached = {"--force-row cross.0.2:600=uniform"};
    }
    runs.changed->next[4] = token(30, "▁ihrer");
    runs.changed->target[5] = token(30, "▁ihrer");
    addDistributions(*runs.original, 5, 0.1);
    addDistributions(*runs.forced, 5, 0.6);
    return runs;
}

} // namespace headscope::example
