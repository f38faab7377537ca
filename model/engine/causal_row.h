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

/// Makes one decoder pass for each source token in `keys` that the step may attend to. `outputs` replace
/// heads as in `run`. Throws trace::Refusal if there is no such step or head, or no cross-attention;
/// trace::Cancelled.
std::shared_ptr<const trace::CausalRow> causalRow(const OpenModel& model, const EncodedSource& source,
                                                  const trace::Run& run,
                                                  const std::vector<network::HeadOutput>& outputs,
                                                  std::size_t step, std::optional<trace::HeadAddress> head,
                                                  trace::KeyRange keys, std::stop_token stop);

} // namespace headscope::engine
