#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::decoding {

/// The ids of the `count` largest values, largest first; of equal ones the lower id first. NaN counts as
/// minus infinity.
std::vector<std::int64_t> bestIds(std::span<const float> values, std::size_t count);

/// How many values are above that of `id`.
std::int64_t rankOf(std::span<const float> values, std::int64_t id);

} // namespace headscope::decoding
