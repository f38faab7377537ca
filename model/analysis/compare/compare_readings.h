#pragma once

#include "model/trace/run.h"

#include <vector>

namespace headscope::analysis {

/// One output token with its log-probability in each of two models, given the tokens before it; or one class
/// of a classifier. Natural logarithms.
struct TokenReading {
    trace::Token token;
    double first = 0;
    double second = 0;
};

/// Compares the shown output of `run` with `reading`, in which another model was forced to produce the same
/// output. Ends at the first different token. For classifiers returns all classes, by label or id.
std::vector<TokenReading> compareReadings(const trace::Run& run, const trace::Run& reading);

/// Mean log-probability per token in both models; zeros if there are no tokens.
struct MeanReading {
    double first = 0;
    double second = 0;
};
MeanReading meanReading(const std::vector<TokenReading>& readings);

} // namespace headscope::analysis
