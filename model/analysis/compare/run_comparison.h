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

/// Groups tokens into words; those of a word are `paired` if all of them are matched in another text.
std::vector<OutputWord> outputWords(std::span<const trace::Token> tokens, const std::vector<bool>& paired);

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

/// What the rows of a comparison are: two runs of the same input are compared step by step, mask by mask,
/// token by token, or class by class.
enum class Compared {
    Steps,   ///< of a decoder, with the same decoder input up to this step
    Masks,   ///< of an encoder that predicts masked tokens
    Labels,  ///< of an encoder that labels the tokens of its text
    Classes, ///< of a classifier
    Answer,  ///< of an encoder that marks an answer: its start and its end
    Numbers, ///< that are predicted
};
Compared comparedIn(const trace::Run& run);

/// One step, mask or class of two runs.
struct StepComparison {
    trace::Token token;                   ///< chosen by the `before` run, or the class
    std::optional<trace::Token> contrast; ///< if set, both log-probabilities are minus that of this token
    double before = 0;                    ///< log-probability of `token` in each run, nats
    double after = 0;
    double divergence = 0;   ///< nats; of a class its summand of the divergence
    bool topChanged = false; ///< the most probable token, or class, differs
    bool isNumber = false;   ///< in the place of a log-probability; `divergence` is its distance

    /// Returns by how much the probability of the token rose, -1 to 1, or the number; with a contrast token,
    /// by how much the difference of the log-probabilities rose, in nats.
    double change() const;
};

/// Compares steps as long as both runs have the same decoder input; later distributions are not comparable.
/// Also stops at a step without recorded log-probabilities. Of an encoder alone, compares the masks, which
/// requires recorded log-probabilities, too, or the classes. The contrast token is that of `before`.
/// Classes have no contrast token: all of them are shown.
std::vector<StepComparison> compareSteps(const trace::Run& before, const trace::Run& after);

} // namespace headscope::analysis
