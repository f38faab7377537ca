#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headscope::analysis {

/// Some tokens of an output that belong together: a word, or a token of its own where pieces carry no space
/// marks.
struct OutputWord {
    std::size_t begin = 0; ///< first token
    std::size_t end = 0;   ///< past the last one
    bool changed = false;  ///< a token of it has no counterpart in the other output
    friend bool operator==(const OutputWord&, const OutputWord&) = default;
};

/// Two outputs laid side by side by a longest common subsequence of their token ids, the earliest tokens of
/// `before` first where there are several.
struct OutputComparison {
    std::vector<OutputWord> before;
    std::vector<OutputWord> after;
    std::vector<std::pair<std::size_t, std::size_t>> pairs; ///< tokens that are the same, rising
};
OutputComparison compareOutputs(std::span<const trace::Token> before, std::span<const trace::Token> after);

/// The tokens a run decoded or was forced to choose, padding left out: those of Run::next.
std::vector<trace::Token> outputTokens(const trace::Run& run);

/// KL(before || after) = sum over v of p log(p / q), in nats, of two vectors of log-probabilities
/// [vocabulary]: at least 0; infinite where `after` rules out what `before` does not. Throws
/// std::invalid_argument if the lengths differ.
double divergence(std::span<const float> before, std::span<const float> after);

/// One step of two runs that were fed the same tokens up to it.
struct StepComparison {
    trace::Token token; ///< that the run before chose at this step
    double before = 0;  ///< its log-probability in either run, nats
    double after = 0;
    double divergence = 0;   ///< nats
    bool topChanged = false; ///< another token is the most probable one

    double probabilityChange() const; ///< of the token, -1 to 1
};

/// Step by step as long as both runs were fed the same tokens: after that the distributions answer different
/// questions. Stops, too, where a run did not record its log-probabilities.
std::vector<StepComparison> compareSteps(const trace::Run& before, const trace::Run& after);

} // namespace headscope::analysis
