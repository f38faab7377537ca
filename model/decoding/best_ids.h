#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::decoding {

/// Returns the ids of the `count` largest values, largest first; on ties the lower id first. NaN counts as
/// minus infinity.
std::vector<std::int64_t> bestIds(std::span<const float> values, std::size_t count);

/// Returns how many values are greater than that of `id`.
std::int64_t rankOf(std::span<const float> values, std::int64_t id);

} // namespace headscope::decoding
