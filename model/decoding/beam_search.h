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

/// One token added to a hypothesis.
struct SearchNode {
    std::optional<std::size_t> parent; ///< nullopt: follows the start of the search
    std::int64_t token = 0;
    trace::SearchRecord record;
};

/// All continuations among the best 2K of their step, including pruned ones. K is the beam width. With more
/// than one end token, read (1 + their number) K for 2K.
struct SearchTree {
    std::vector<SearchNode> nodes;   ///< parents before their children
    std::vector<std::size_t> living; ///< live hypotheses, best first
    /// Finished hypotheses, best first. If the search ends without any, the live ones.
    std::vector<std::size_t> ranking;
};

/// Beam search. At every step all continuations of the live hypotheses are ranked by summed log-probability
/// (ties: lower token id, then older hypothesis). Of the best 2K, those that end are finished and the best K
/// of the others stay alive. `decoding.rule` defines which ones finish and when the search stops. `afterStep`
/// is called after each step with the tree so far; existing nodes change only in their fate.
SearchTree beamSearch(NextTokenScorer& scorer, const SearchStart& start, const trace::Decoding& decoding,
                      const std::function<void(const SearchTree&)>& afterStep = {});

} // namespace headscope::decoding
