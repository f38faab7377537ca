#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headscope::analysis {

/// The tokens of one word of an output; a single token if the tokens carry no space marks.
struct OutputWord {
    std::size_t begin = 0; ///< first token
    std::size_t end = 0;   ///< one past the last token
    bool changed = false;  ///< at least one token is unmatched in the other output
    friend bool operator==(const OutputWord&, const OutputWord&) = default;
};

/// Two outputs aligned by a longest common subsequence of their token ids; of several, the one with the
/// earliest tokens of `before`.
struct OutputComparison {
    std::vector<OutputWord> before;
    std::vector<OutputWord> after;
    std::vector<std::pair<std::size_t, std::size_t>> pairs; ///< equal tokens, in ascending order
};
OutputComparison compareOutputs(std::span<const trace::Token> before, std::span<const trace::Token> after);

/// Returns the tokens that a run decoded or was forced to choose (Run::next), without padding.
std::vector<trace::Token> outputTokens(const trace::Run& run);

/// Returns KL(before || after) = sum over v of p log(p / q) in nats, for two vectors of log-probabilities
/// [vocabulary]. At least 0; infinite if q = 0 for a token with p > 0. Throws std::invalid_argument if the
/// sizes differ.
double divergence(std::span<const float> before, std::span<const float> after);

/// One step of two runs with the same decoder input up to this step.
struct StepComparison {
    trace::Token token; ///< chosen by the `before` run
    double before = 0;  ///< log-probability of `token` in each run, nats
    double after = 0;
    double divergence = 0;   ///< nats
    bool topChanged = false; ///< the most probable token differs

    double probabilityChange() const; ///< of the token, -1 to 1
};

/// Compares steps as long as both runs have the same decoder input; later distributions are not comparable.
/// Also stops at a step without recorded log-probabilities.
std::vector<StepComparison> compareSteps(const trace::Run& before, const trace::Run& after);

} // namespace headscope::analysis
