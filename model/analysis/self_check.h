#pragma once

#include "model/trace/run.h"

#include <optional>

namespace headscope::analysis {

/// Precision of the numbers of a run.
struct NumberOrigin {
    /// Unit roundoff of the storage type, such as 2^-11 for float16; 0 if the numbers are as computed.
    double roundoff = 0;
};

/// Checks the invariants of the numbers of `run`. Weights are compared with the softmax of their scores only
/// if the run is complete. `cachedAgainstFullPass` is the largest difference that the engine measured between
/// the rows computed step by step and one pass over all tokens; empty if not measured. NaN fails a check.
trace::SelfCheck selfCheck(const trace::Run& run, std::optional<double> cachedAgainstFullPass,
                           const NumberOrigin& origin = {});

/// Repeats the self-check of a run that was read from a file, because its numbers may have been changed since
/// they were recorded. Checks that need the model keep the recorded result, and so do all checks if the file
/// is too large to be read as a whole (no `origin`).
trace::SelfCheck checkedAnew(const trace::SelfCheck& recorded, const trace::Run& run,
                             const std::optional<NumberOrigin>& origin);

} // namespace headscope::analysis
