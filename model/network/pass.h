#pragma once

#include "model/network/forward_observer.h"
#include "model/network/intervention.h"

namespace headscope::network {

/// Added to what an attention sublayer's output projection gives, [queries, d_model]. Zeros that record
/// gradients tell how the pass depends on that output.
struct OutputProbe {
    trace::AttentionSite site;
    at::Tensor added;
};

/// What goes along with one pass through the network: who is told what it computes, and what is changed in
/// it.
struct Pass {
    ForwardObserver* observer = nullptr;
    const Interventions* interventions = nullptr; ///< null: none
    const OutputProbe* probe = nullptr;           ///< null: none
    /// Queries or keys of maps that the observer is told whole; longer ones are computed some rows at a time
    /// and left out. 0: none is.
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
