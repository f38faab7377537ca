#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// One sentence of a training batch: at position t the decoder's input is input[t] and its label labels[t],
/// the target from the second token on ("shifted right").
struct BatchRow {
    std::vector<trace::Token> source;                ///< [S] including end token and padding
    std::vector<trace::Token> input;                 ///< [T] decoder input, starting with the start token
    std::vector<std::optional<trace::Token>> labels; ///< [T] empty for positions without a label
};

/// Returns the complete target of a run of one sentence: start token, output, and the end token if it was
/// decoded or its probability was computed. Without padding. Empty for encoder-only models.
std::vector<trace::Token> wholeTarget(const trace::Run& run);

/// How to run each sentence of a batch, so that all have the length of the longest.
struct BatchPlan {
    std::vector<trace::Padding> padding; ///< number of pad tokens after each source and target
    std::vector<bool> feedsLast; ///< whether the target's last token is fed, because a longer target exists
};

/// Takes the sequences of the single runs. The decoder's input is one token shorter than the target.
BatchPlan batchPlan(const std::vector<std::vector<trace::Token>>& sources,
                    const std::vector<std::vector<trace::Token>>& targets);

/// Returns the path that feeds `target`, with its last token only if `feedsLast`; pad tokens follow.
trace::DecodePath batchPath(const std::vector<trace::Token>& target, bool feedsLast);

/// Returns the batch row of a padded run with the complete target `target`.
BatchRow batchRow(const trace::Run& padded, const std::vector<trace::Token>& target);

/// Effect of padding on the weights between real tokens.
struct PaddingEffect {
    double largestChange = 0;                ///< largest change of a weight between two real tokens
    std::optional<trace::HeadAddress> where; ///< head of that change; empty if nothing was compared
    double largestOnPadding = 0;             ///< largest weight of a real token's row on a pad key
    std::size_t weights = 0;                 ///< number of weights compared
};

/// `alone` and `padded` read the same tokens; in `padded`, padding follows.
PaddingEffect paddingEffect(const trace::Run& alone, const trace::Run& padded);

} // namespace headscope::analysis
