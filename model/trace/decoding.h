#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::trace {

/// When a beam search hypothesis counts as finished, and when the search stops although others are alive. K
/// is the beam width.
enum class BeamRule {
    /// Every ending hypothesis among the best 2K continuations finishes. Stops once K or more have finished.
    Plain,
    /// As `generate()` of Hugging Face's transformers with early_stopping: true. Only hypotheses that end
    /// among the best K continuations finish, and only the best K finished ones are kept. Stops once there
    /// are K.
    GenerateEarly,
    /// As GenerateEarly, but stops only when the best live hypothesis, normalised by its present length, is
    /// also no better than the worst of the K finished ones (early_stopping: false).
    GenerateHeuristic,
    /// As GenerateHeuristic, but with a positive length penalty the live hypothesis is normalised by the
    /// maximum length (early_stopping: "never").
    GenerateNever,
};

/// Decoding options. Lengths count tokens after the start token, or after the prompt of a decoder alone.
struct Decoding {
    int beam = 1;             ///< beam width; 1: greedy
    double lengthPenalty = 0; ///< A in: final score = log-probability / n^A
    int minimumLength = 0; ///< minimum length of the target, end token included; shorter targets cannot end
    int noRepeat = 0;      ///< n-grams of this length are not repeated; 0: off

    bool sample = false; ///< samples instead of taking the most probable token
    double temperature = 1;
    int topK = 0;    ///< samples among this many most probable tokens; 0: all
    double topP = 1; ///< and among the fewest of them whose total probability reaches this value
    std::uint64_t seed = 0;

    // Set from the model's folder only; not offered as options.
    BeamRule rule = BeamRule::Plain;
    std::vector<std::vector<std::int64_t>> forbidden; ///< token sequences that are never generated
    std::optional<std::int64_t> forcedFirst;          ///< only token that may follow the start token
    std::optional<std::int64_t> forcedEnd;            ///< token forced at the maximum length
    std::vector<std::int64_t> suppressed;             ///< tokens that are never generated
    /// Tokens that are not generated first; after a forced first token, not as the one behind it.
    std::vector<std::int64_t> suppressedFirst;
    /// Divides positive and multiplies negative values of tokens that were fed: logits, or log-probabilities
    /// in a beam search.
    double repetitionPenalty = 1;
    /// The end token is not chosen before this many tokens, start token or prompt included.
    int minimumTotal = 0;
    bool renormalise = false; ///< rescale to a sum of 1 after the rules have excluded tokens

    friend bool operator==(const Decoding&, const Decoding&) = default;
};

} // namespace headscope::trace
