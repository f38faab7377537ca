#pragma once

#include "model/engine/open_model.h"
#include "model/trace/decode_tree.h"

#include <span>
#include <vector>

namespace headscope::engine {

/// Returns the `count` most probable next tokens in the order of decoding::bestIds().
std::vector<trace::Candidate> bestCandidates(const OpenModel& model, std::span<const float> logProbabilities,
                                             std::size_t count);

} // namespace headscope::engine
