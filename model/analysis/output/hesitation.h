#pragma once

#include "model/trace/run.h"

#include <optional>
#include <vector>

namespace headscope::analysis {

/// How sure the model was of the token that a row shows as chosen.
struct Hesitation {
    std::optional<double> probability;     ///< 0 to 1; nothing where the row did not keep it
    std::optional<trace::Candidate> other; ///< the most probable of the tokens that were not chosen
};

/// One a row of the target: of its `next` token.
std::vector<Hesitation> hesitations(const trace::Run& run);

} // namespace headscope::analysis
