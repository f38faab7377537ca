#pragma once

#include "model/trace/model_summary.h"

#include <cstdint>
#include <optional>

namespace headscope::trace {

/// Returns true for a trace of a run with changes that also holds the original run.
bool holdsOriginal(const ModelSummary& model);

/// Returns the seed of the random twin whose run the trace also holds; nullopt for a model.
std::optional<std::uint64_t> recordedTwin(const ModelSummary& model);

} // namespace headscope::trace
