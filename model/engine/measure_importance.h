#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/head_importance.h"
#include "model/trace/run.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace headscope::engine {

/// All heads, sorted by address.
std::vector<trace::HeadAddress> allHeads(const trace::ModelSummary& model);

/// What heads are measured by.
struct MeasuredRun {
    const OpenModel& model;
    const EncodedSource& source;
    const trace::Run& run;
    const std::vector<network::HeadOutput>& outputs; ///< replaced head outputs in the run
    /// Those of removed heads, in their order; none if an ablation switches them off.
    const std::vector<network::HeadOutput>& removed;
};

/// Removes every head in turn, those of allHeads(). `partial` occasionally receives the results so far.
/// Throws trace::Refusal if the run has no answers; trace::Cancelled.
std::shared_ptr<const trace::HeadImportance> measureImportance(const MeasuredRun& measured,
                                                               const trace::Ablation& ablation,
                                                               std::stop_token stop,
                                                               const trace::Partial& partial);

/// Removes the heads of `what` one after the other. Otherwise as measureImportance().
std::shared_ptr<const trace::RemovalCurve> measureRemoval(const MeasuredRun& measured,
                                                          const trace::RemovalWhat& what,
                                                          std::stop_token stop,
                                                          const trace::Partial& partial);

} // namespace headscope::engine
