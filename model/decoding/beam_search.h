#pragma once

#include "model/decoding/next_token_scorer.h"
#include "model/decoding/token_rules.h"
#include "model/trace/decode_tree.h"
#include "model/trace/decoding.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace headscope::decoding {

/// One more token after a hypothesis.
struct SearchNode {
    std::optional<std::size_t> parent; ///< nothing: it follows what the search was given
    std::int64_t token = 0;
    trace::SearchRecord record;
};

/// Every continuation that was among the best 2K of its step, those that were pruned too.
struct SearchTree {
    std::vector<SearchNode> nodes;    ///< parents before their children
    std::vector<std::size_t> living;  ///< best first
    std::vector<std::size_t> ranking; ///< finished ones, best first; when the search is over and none has
                                      ///< finished, the living ones
};

/// Beam search. At every step all continuations of the living hypotheses are ranked by summed log-probability
/// (of equal ones the lower token id, then the older hypothesis); of the best 2K those that end are finished,
/// the best K of the others live on. `decoding.rule` says which ones finish and when it is over. `afterStep`
/// is called with the tree so far, in which nothing that is there changes but fates.
SearchTree beamSearch(NextTokenScorer& scorer, const SearchStart& start, const trace::Decoding& decoding,
                      const std::function<void(const SearchTree&)>& afterStep = {});

} // namespace headscope::decoding
