#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/lens.h"
#include "model/trace/run.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Reads the residual stream along the path of `run` in a single pass: of the decoder or, in an encoder
/// alone, of the encoder at the masks, or where the classifier reads it. Throws trace::Refusal if the model
/// says nothing of this source; trace::Cancelled.
std::shared_ptr<const trace::Lens> readLens(const OpenModel& model, const EncodedSource& source,
                                            const network::Interventions& interventions,
                                            const trace::Run& run, std::stop_token stop);

} // namespace headscope::engine
