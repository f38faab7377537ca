#pragma once

#include "model/trace/model_summary.h"

#include <cstdint>
#include <optional>

namespace headscope::trace {

/// True of a trace of a run with changes that holds the one without them, too.
bool holdsUndisturbed(const ModelSummary& model);

/// The seed of the random twin whose run a trace holds beside its own; nothing of a model.
std::optional<std::uint64_t> recordedTwin(const ModelSummary& model);

} // namespace headscope::trace
