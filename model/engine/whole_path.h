#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/whole_pass.h"
#include "model/trace/run.h"

namespace headscope::engine {

/// Throws trace::Refusal where the model has no such attention.
void refuseMissingSite(const trace::ModelSummary& model, const trace::AttentionSite& site);
/// The same of a head.
void refuseMissingHead(const trace::ModelSummary& model, const trace::HeadAddress& head);

/// What goes into a whole pass along the path of `run`. All that is given outlives what is returned.
network::PassInput pathInputOf(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run);

/// The same for what keeps the maps of all layers. Throws trace::Refusal where they would not fit.
network::PassInput wholePathOf(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run);

} // namespace headscope::engine
