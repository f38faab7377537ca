#pragma once

#include "model/trace/decoding.h"

#include <cstdint>
#include <optional>
#include <span>

namespace headscope::decoding {

/// Draws a token from softmax(values / temperature), restricted to the topK most probable tokens and, among
/// these, to the fewest that together reach topP. The result depends only on the seed and on `position` (the
/// number of tokens fed so far), so that decoding token by token draws the same tokens as decoding at once.
/// Returns nullopt if no token is possible.
std::optional<std::int64_t> sampleToken(std::span<const double> values, const trace::Decoding& decoding,
                                        std::size_t position);

} // namespace headscope::decoding
