#pragma once

#include "model/trace/lens.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// The first stage from which on the most probable token is `chosen` and stays so to the last stage; nothing
/// where the model itself finds another one more probable.
std::optional<std::size_t> decidedStage(const std::vector<trace::LensReading>& stages, std::int64_t chosen);

} // namespace headscope::analysis
