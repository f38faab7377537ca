#pragma once

#include "model/trace/lens.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Returns the first stage from which `chosen` is the most probable token in all later stages; empty if it is
/// not the most probable token of the last stage.
std::optional<std::size_t> decidedStage(const std::vector<trace::LensReading>& stages, std::int64_t chosen);

} // namespace headscope::analysis
