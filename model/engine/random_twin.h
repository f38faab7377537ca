#pragma once

#include "model/engine/open_model.h"

#include <cstdint>
#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Returns the same network with random weights (makeRandomNetwork()) and a name that states this. Family,
/// settings, tokenizer and positions computed by a formula, which are not learned, are those of the model.
/// Throws trace::Refusal if memory is insufficient; trace::Cancelled.
std::unique_ptr<OpenModel> makeRandomTwin(const OpenModel& model, std::uint64_t seed, std::stop_token stop);

} // namespace headscope::engine
