#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// One sentence of a batch, as the model is trained on it: at position t the decoder is fed input[t] and
/// scored on label[t], which is the target from its second token on ("shifted right").
struct BatchRow {
    std::vector<trace::Token> source;                ///< [S] its end token and the padding included
    std::vector<trace::Token> input;                 ///< [T] what the decoder was fed, the start token first
    std::vector<std::optional<trace::Token>> labels; ///< [T] nothing where a position is not scored
};

/// The whole target of a run that read one sentence: start token, what was written, and the end token where
/// it came or where the run weighed it. Padding is left out. Empty for an encoder alone.
std::vector<trace::Token> wholeTarget(const trace::Run& run);

/// How each sentence of a batch is run, so that all are as long as the longest.
struct BatchPlan {
    std::vector<trace::Padding> padding; ///< pad tokens after each source and target
    std::vector<bool> feedsLast; ///< the target's last token is fed: something longer stands beside it
};

/// Of the sentences run one by one. The decoder's input is one token shorter than the target.
BatchPlan batchPlan(const std::vector<std::vector<trace::Token>>& sources,
                    const std::vector<std::vector<trace::Token>>& targets);

/// The path that feeds `target` so far as `feedsLast` says; pad tokens come after it.
trace::DecodePath batchPath(const std::vector<trace::Token>& target, bool feedsLast);

/// Reads a row off the run that was padded, whose whole target is `target`.
BatchRow batchRow(const trace::Run& padded, const std::vector<trace::Token>& target);

/// What padding did to the weights between real tokens.
struct PaddingEffect {
    double largestChange = 0;                ///< of a weight on a real token, in a real token's row
    std::optional<trace::HeadAddress> where; ///< of that change; nothing where nothing was compared
    double largestOnPadding = 0;             ///< weight that a real token's row gives to a pad key
    std::size_t weights = 0;                 ///< compared
};

/// `alone` and `padded` read the same tokens, the second with padding after them.
PaddingEffect paddingEffect(const trace::Run& alone, const trace::Run& padded);

} // namespace headscope::analysis
