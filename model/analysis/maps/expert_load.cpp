#include "model/analysis/maps/expert_load.h"

namespace headscope::analysis {

std::vector<double> expertLoad(const trace::ExpertRouting& routing, const trace::LayerRouting& layer,
                               const std::vector<trace::Token>& tokens) {
    std::vector<double> load(routing.experts, 0);
    const std::size_t used = routing.used;
    double counted = 0;
    for (std::size_t token = 0; token < tokens.size() && (token + 1) * used <= layer.experts.size();
         ++token) {
        if (tokens[token].role == trace::TokenRole::Padding)
            continue;
        ++counted;
        for (std::size_t place = token * used; place < (token + 1) * used; ++place)
            ++load[layer.experts[place]];
    }
    for (double& share : load)
        share = counted > 0 ? share / counted : 0;
    return load;
}

} // namespace headscope::analysis
