#pragma once

#include "model/trace/run.h"

#include <optional>

namespace headscope::analysis {

/// How the numbers of a run came to be what they are.
struct NumberOrigin {
    /// Unit roundoff of the type that they were stored in, such as 2^-11 of float16; 0: as they were
    /// computed.
    double roundoff = 0;
};

/// Measures what must hold of the numbers of `run`. Weights are held against the softmax of their scores once
/// the run is complete. `cachedAgainstFullPass` is the largest difference the engine measured between the
/// rows computed step by step and one pass over all tokens; nothing where it was not measured. A NaN fails.
trace::SelfCheck selfCheck(const trace::Run& run, std::optional<double> cachedAgainstFullPass,
                           const NumberOrigin& origin = {});

/// The self-check of a run that was read from a file, which says what was found when it was recorded: whoever
/// wrote the file may have changed the numbers since. What needs the model, and everything where the file is
/// too large to be read whole (no `origin`), stays as recorded.
trace::SelfCheck checkedAnew(const trace::SelfCheck& recorded, const trace::Run& run,
                             const std::optional<NumberOrigin>& origin);

} // namespace headscope::analysis
