#pragma once

#include "model/trace/run.h"

#include <vector>

namespace headscope::analysis {

/// One token of an output, and how probable each of two models found it, given the tokens before it; or one
/// class of a classifier. Natural logarithms.
struct TokenReading {
    trace::Token token;
    double first = 0;
    double second = 0;
};

/// The output that `run` shows, as its own model saw it and as another one saw it that was made to say it in
/// `reading`. Ends where they part. Of classifiers all classes, by their names or else as ids.
std::vector<TokenReading> compareReadings(const trace::Run& run, const trace::Run& reading);

/// Mean log-probability of a token in both; zeros for none.
struct MeanReading {
    double first = 0;
    double second = 0;
};
MeanReading meanReading(const std::vector<TokenReading>& readings);

} // namespace headscope::analysis
