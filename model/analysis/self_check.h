#pragma once

#include "model/trace/run.h"

#include <optional>

namespace headscope::analysis {

/// Measures what must hold of every map of `run`: rows with an open key sum to 1, and their masked cells are
/// 0. `cachedAgainstFullPass` is the largest difference the engine measured between the rows computed step by
/// step and one pass over all tokens; nothing where it was not measured. A NaN fails.
trace::SelfCheck selfCheck(const trace::Run& run, std::optional<double> cachedAgainstFullPass);

/// What a file says of a run that was checked when it was recorded, and what its maps show where they fail
/// here: whoever wrote the file may have changed them since.
trace::SelfCheck checkedAnew(const trace::SelfCheck& said, const trace::Run& run);

} // namespace headscope::analysis
