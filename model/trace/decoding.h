#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::trace {

/// When a hypothesis of beam search counts as finished, and when the search ends although others still live.
enum class BeamRule {
    /// Every ending one among the best 2K continuations finishes; ends when K or more have.
    Plain,
    /// As `generate()` of Hugging Face's transformers: only those among the best K finish, and the best K of
    /// them
    /// are kept. Ends when there are K ...
    GenerateEarly,
    /// ... and the best living one, divided by its present length, is no better than the worst of them
    /// (early_stopping: false) ...
    GenerateHeuristic,
    /// ... or divided by the length it could still reach (early_stopping: "never").
    GenerateNever,
};

/// How the next tokens are chosen. Lengths count tokens after the start token.
struct Decoding {
    int beam = 1;             ///< hypotheses that live; 1: greedy
    double lengthPenalty = 0; ///< A in: final score = log-probability / n^A
    int minimumLength = 0;    ///< no end token before the target has so many tokens, itself among them
    int noRepeat = 0;         ///< no run of so many tokens comes twice; 0: any may

    bool sample = false; ///< draws instead of taking the most probable token
    double temperature = 1;
    int topK = 0;    ///< draws among so many most probable tokens; 0: among all
    double topP = 1; ///< and among the fewest that have this much probability together
    std::uint64_t seed = 0;

    // What a model's own folder says; nobody chooses it.
    BeamRule rule = BeamRule::Plain;
    std::vector<std::vector<std::int64_t>> forbidden; ///< runs of tokens that never come
    std::optional<std::int64_t> forcedEnd;            ///< the last token that the maximum length allows
    bool renormalise = false; ///< what the rules leave of a distribution is made to sum to one again

    friend bool operator==(const Decoding&, const Decoding&) = default;
};

} // namespace headscope::trace
