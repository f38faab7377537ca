#pragma once

#include "model/trace/expert_routing.h"
#include "tests/widgets/example_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::example {

/// The same run, of a model whose decoder layers have experts.
inline std::shared_ptr<trace::Run> withExperts(const trace::Run& run, int experts = 8) {
    auto made = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    model->architecture.emplace_back("experts", std::to_string(experts));
    model->architecture.emplace_back("experts_per_token", "2");
    model->architecture.emplace_back("expert_weights_normalised", "yes");
    made->model = model;
    return made;
}

/// In every layer but the second, the last expert is used by no token.
inline std::shared_ptr<const trace::ExpertRouting> routing(const trace::Run& run, int experts = 8) {
    auto made = std::make_shared<trace::ExpertRouting>(
        trace::ExpertRouting{.request = run.request, .experts = experts, .used = 2, .layers = {}});
    for (const int layer : {0, 2}) {
        trace::LayerRouting one{.layer = layer};
        for (std::size_t token = 0; token < run.target.size(); ++token) {
            const int first =
                static_cast<int>(token * token + static_cast<std::size_t>(layer)) % (experts - 1);
            const float weight = 0.55F + 0.04F * static_cast<float>((token * 7) % 10);
            one.experts.insert(one.experts.end(), {first, (first + 1 + layer) % (experts - 1)});
            one.weights.insert(one.weights.end(), {weight, 1 - weight});
        }
        made->layers.push_back(std::move(one));
    }
    return made;
}

} // namespace headscope::example
