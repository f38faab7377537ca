#pragma once

#include "model/trace/decoding.h"

#include <cstdint>
#include <optional>
#include <span>

namespace headscope::decoding {

/// Draws a token by softmax(values / temperature) among the topK most probable and, of these, the fewest that
/// together reach topP. What is drawn depends on the seed and on `position` (tokens fed so far) alone, so
/// that decoding token by token draws what decoding at once draws. Nothing if no token is possible.
std::optional<std::int64_t> sampleToken(std::span<const double> values, const trace::Decoding& decoding,
                                        std::size_t position);

} // namespace headscope::decoding
