#pragma once

#include "model/analysis/compare/run_comparison.h"
#include "model/analysis/maps/token_alignment.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::analysis {

/// What a run said along its shown path.
struct SaidOutput {
    std::vector<trace::Token> tokens;
    std::vector<double> logProbabilities; ///< one a token, given those before it; natural logarithms
    std::string text;
    double sum = 0;          ///< of the log-probabilities
    bool areClasses = false; ///< of a classifier: all of them, which are no tokens
};
/// Empty where the run says nothing.
SaidOutput saidOutput(const trace::Run& run);

/// What two runs said, side by side.
struct SaidComparison {
    SaidOutput first;
    SaidOutput second;
    AlignedAxis axis; ///< of their tokens
};
/// Of long outputs it takes a while: throws trace::Cancelled.
SaidComparison compareSaid(const trace::Run& first, const trace::Run& second, AlignBy by,
                           const std::stop_token& stop = {});

/// Summed over the tokens of a unit.
double logProbabilityOf(const SaidOutput& said, const AxisUnit& unit);

} // namespace headscope::analysis
