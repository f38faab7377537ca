#pragma once

#include "model/analysis/compare/run_comparison.h"
#include "model/analysis/maps/token_alignment.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::analysis {

/// The output of a run along its shown path.
struct SaidOutput {
    std::vector<trace::Token> tokens;
    std::vector<double> logProbabilities; ///< per token, given those before it; natural logarithms
    std::string text;
    double sum = 0;          ///< total log-probability
    bool areClasses = false; ///< `tokens` are all classes of a classifier
};
/// Empty if the run has no output.
SaidOutput saidOutput(const trace::Run& run);

/// The aligned outputs of two runs.
struct SaidComparison {
    SaidOutput first;
    SaidOutput second;
    AlignedAxis axis; ///< alignment of the tokens
};
/// Slow for long outputs: throws trace::Cancelled.
SaidComparison compareSaid(const trace::Run& first, const trace::Run& second, AlignBy by,
                           const std::stop_token& stop = {});

/// Returns the sum over the tokens of a unit.
double logProbabilityOf(const SaidOutput& said, const AxisUnit& unit);

} // namespace headscope::analysis
