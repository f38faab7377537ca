#pragma once

#include "model/trace/run.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// How sure the model was of the token that follows a row of the target; nothing where that was not kept.
struct HesitationStep {
    trace::Token chosen;                    ///< or forced
    bool isForced = false;                  ///< by a person: the model did not choose it
    std::optional<double> probability;      ///< of the chosen token, 0 to 1
    std::optional<trace::Candidate> second; ///< the most probable of the others
    std::optional<double> margin;  ///< probability of the chosen - of the second; below 0 where that was
                                   ///< the more probable
    std::optional<double> entropy; ///< of the distribution over the vocabulary, bits
};

/// One a token of the shown path after the start token, padding left out. Entropies where the run keeps whole
/// distributions.
std::vector<HesitationStep> hesitationSteps(const trace::Run& run);

} // namespace headscope::widgets
