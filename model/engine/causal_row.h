#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/causal_row.h"
#include "model/trace/run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// A pass of the decoder for every source token among `keys` that the step can look at. `outputs` replace
/// heads as in `run`. Throws trace::Refusal where there is no such step, no such head or no cross-attention,
/// trace::Cancelled.
std::shared_ptr<const trace::CausalRow> causalRow(const OpenModel& model, const EncodedSource& source,
                                                  const trace::Run& run,
                                                  const std::vector<network::HeadOutput>& outputs,
                                                  std::size_t step, std::optional<trace::HeadAddress> head,
                                                  trace::KeyRange keys, std::stop_token stop);

} // namespace headscope::engine
