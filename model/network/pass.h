#pragma once

#include "model/network/forward_observer.h"
#include "model/network/intervention.h"

namespace headscope::network {

/// Tensor added to the result of an attention sublayer's output projection, [queries, d_model]. Zeros with
/// requires_grad give the gradient of the pass with respect to that result.
struct OutputProbe {
    trace::AttentionSite site;
    at::Tensor added;
};

/// Options of one pass through the network: its observer and its changes.
struct Pass {
    ForwardObserver* observer = nullptr;
    const Interventions* interventions = nullptr; ///< null: none
    const OutputProbe* probe = nullptr;           ///< null: none
    /// Maps with more queries or keys than this are computed some rows at a time and not stored. 0: all maps
    /// are passed whole to the observer.
    std::int64_t longestMap = 0;

    const SiteChanges* changesAt(const trace::AttentionSite& site) const {
        return interventions ? interventions->at(site) : nullptr;
    }
    double sublayerFactor(trace::SublayerKind kind, int layer) const {
        return interventions ? interventions->sublayerFactor({kind, layer}) : 1;
    }
    double scoreScale(double own) const { return interventions ? interventions->scoreScale(own) : own; }
    double temperature() const { return interventions ? interventions->temperature() : 1; }
    bool leavesOut(std::int64_t queries, std::int64_t keys) const {
        return longestMap > 0 && (queries > longestMap || keys > longestMap);
    }
    bool liftsMask() const { return interventions && interventions->liftsMask(); }
};

} // namespace headscope::network
