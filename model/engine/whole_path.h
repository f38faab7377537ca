#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/whole_pass.h"
#include "model/trace/run.h"

namespace headscope::engine {

/// Throws trace::Refusal if the model has no such attention.
void refuseMissingSite(const trace::ModelSummary& model, const trace::AttentionSite& site);
/// Throws trace::Refusal if the model has no such head.
void refuseMissingHead(const trace::ModelSummary& model, const trace::HeadAddress& head);

/// Returns the input of a pass along the path of `run`. The arguments must outlive it.
network::PassInput pathInputOf(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run);

/// Same, for passes that store the maps of all layers. Throws trace::Refusal if these would need too much
/// memory.
network::PassInput wholePathOf(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run);

} // namespace headscope::engine
