#pragma once

#include "model/trace/run.h"

#include <optional>
#include <vector>

namespace headscope::analysis {

/// How certain the model was of the token chosen in a row of the target. Values that were not stored are
/// nullopt.
struct Hesitation {
    trace::Token chosen;                    ///< or forced
    bool isForced = false;                  ///< by the user: the model did not choose it
    std::optional<double> probability;      ///< of the chosen token, 0 to 1
    std::optional<trace::Candidate> second; ///< the most probable other token
    std::optional<double> margin;  ///< probability of the chosen token minus that of the second; negative if
                                   ///< the second was more probable
    std::optional<double> entropy; ///< of the distribution over the vocabulary, bits
};

/// The certainty about `token` in row `t` of the shown path. The entropy is set if the run stores the whole
/// distribution.
Hesitation hesitationAbout(const trace::Token& token, const trace::Run& run, std::size_t t);

/// One entry for each token of the shown path after the start token, up to the padding.
std::vector<Hesitation> hesitations(const trace::Run& run);

} // namespace headscope::analysis
