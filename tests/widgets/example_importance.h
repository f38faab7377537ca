#pragma once

#include "model/trace/head_importance.h"
#include "model/trace/question.h"
#include "tests/widgets/example_run.h"

#include <cmath>
#include <memory>

namespace headscope::example {

/// What every head of a run is worth, made up: some help, some hurt, differently at every step.
inline std::shared_ptr<trace::HeadImportance> importance(const trace::Run& run) {
    using trace::AttentionKind;
    auto made = std::make_shared<trace::HeadImportance>();
    made->request = run.request;
    made->tokens = run.next;
    made->original.assign(run.next.size(), -0.18F);
    for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
        for (int layer = 0; layer < run.model->layers(kind); ++layer)
            for (int head = 0; head < run.model->heads(kind); ++head) {
                trace::HeadEffect effect{.head = {{kind, layer}, head}};
                for (std::size_t t = 0; t < run.next.size(); ++t) {
                    const double value = std::sin(double(t) + 3 * layer + head * 1.7 + 5.0 * int(kind)) *
                                         std::exp(-head * 0.2) * 0.3;
                    effect.importance.push_back(static_cast<float>(value + 0.05));
                    effect.divergence.push_back(static_cast<float>(value * value));
                }
                made->effects.push_back(std::move(effect));
            }
    made->complete = true;
    return made;
}

/// What is left while heads are removed in one of the orders, made up: every head costs `loss`.
inline std::shared_ptr<const trace::RemovalCurve> removal(const trace::HeadImportance& importance,
                                                          const trace::RemovalWhat& what, float loss) {
    auto curve = std::make_shared<trace::RemovalCurve>();
    curve->order = what.order;
    curve->removed = what.removed;
    curve->tokens = importance.tokens;
    for (const auto removed : what.removed)
        curve->values.emplace_back(curve->tokens.size(), -loss * static_cast<float>(removed));
    curve->complete = true;
    return curve;
}

/// Random weights: next to nothing is lost with any head.
inline std::shared_ptr<trace::HeadImportance> importanceOfTwin(const trace::Run& run) {
    auto made = importance(run);
    for (auto& effect : made->effects)
        for (auto& value : effect.importance)
            value *= -0.03F;
    made->request.randomTwin = 7;
    return made;
}

} // namespace headscope::example
