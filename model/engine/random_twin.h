#pragma once

#include "model/engine/open_model.h"

#include <cstdint>
#include <memory>
#include <stop_token>

namespace headscope::engine {

/// The same network with random weights (makeRandomNetwork), under a name that says so; family, settings and
/// tokenizer are the model's, and so are positions that a formula gives, which nobody learned. Throws
/// trace::Refusal if there is no memory for it; trace::Cancelled.
std::unique_ptr<OpenModel> makeRandomTwin(const OpenModel& model, std::uint64_t seed, std::stop_token stop);

} // namespace headscope::engine
