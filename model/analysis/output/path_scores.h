#pragma once

#include "model/trace/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Score of one token of a path, given the tokens before it.
struct TokenScore {
    trace::DecodeTree::NodeId node = 0;
    trace::Token token;
    double logProbability = 0;
    std::optional<std::int64_t> rank; ///< number of more probable tokens; empty if not known
    double sum = 0;                   ///< total log-probability up to and including this token
};

/// Returns the scores from the root to `leaf`, without the root and padding: token i was chosen in row i.
std::vector<TokenScore> tokenScores(const trace::DecodeTree& tree, trace::DecodeTree::NodeId leaf);

/// Returns the most recent path that was forced as a whole; empty if there is none.
std::optional<std::size_t> referencePath(const trace::Run& run);
/// Returns the scores of a forced target, including the end token if the engine computed its probability.
std::vector<TokenScore> referenceScores(const trace::Run& run, const trace::RunPath& path);

/// Mean log-probability per token; 0 if there are no tokens.
double meanLogProbability(const std::vector<TokenScore>& scores);

} // namespace headscope::analysis
