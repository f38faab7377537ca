#pragma once

#include "model/trace/run.h"

#include <optional>
#include <vector>

namespace headscope::analysis {

/// The model's certainty about the chosen token of a row.
struct Hesitation {
    std::optional<double> probability;     ///< 0 to 1; empty if the row did not keep it
    std::optional<trace::Candidate> other; ///< the most probable token that was not chosen
};

/// One per row of the target, for its token in Run::next.
std::vector<Hesitation> hesitations(const trace::Run& run);

} // namespace headscope::analysis
