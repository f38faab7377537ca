#pragma once

#include "model/trace/run.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// How certain the model was of the token chosen in a row of the target. Values that were not stored are
/// nullopt.
struct HesitationStep {
    trace::Token chosen;                    ///< or forced
    bool isForced = false;                  ///< by the user: the model did not choose it
    std::optional<double> probability;      ///< of the chosen token, 0 to 1
    std::optional<trace::Candidate> second; ///< the most probable other token
    std::optional<double> margin;  ///< probability of the chosen token minus that of the second; negative if
                                   ///< the second was more probable
    std::optional<double> entropy; ///< of the distribution over the vocabulary, bits
};

/// One entry for each token of the shown path after the start token, up to the padding. Entropies are set if
/// the run stores whole distributions.
std::vector<HesitationStep> hesitationSteps(const trace::Run& run);

} // namespace headscope::widgets
