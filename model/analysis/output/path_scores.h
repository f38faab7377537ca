#pragma once

#include "model/trace/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// What the model thought of one token of a path, given those before it.
struct TokenScore {
    trace::DecodeTree::NodeId node = 0;
    trace::Token token;
    double logProbability = 0;
    std::optional<std::int64_t> rank; ///< tokens that were more probable; nothing: not known
    double sum = 0;                   ///< of the log-probabilities up to this one
};

/// One a token from the root to `leaf`, the root and padding left out: token i was chosen in row i.
std::vector<TokenScore> tokenScores(const trace::DecodeTree& tree, trace::DecodeTree::NodeId leaf);

/// Of a target that was forced as a whole, with the end token behind it where the engine looked it up.
std::vector<TokenScore> referenceScores(const trace::Run& run, const trace::RunPath& path);

/// Mean log-probability a token; 0 for none.
double meanLogProbability(const std::vector<TokenScore>& scores);

} // namespace headscope::analysis
