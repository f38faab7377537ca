#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// One path of a decode tree, as a row below the shown one.
struct PathRow {
    enum class What {
        Greedy,
        Beam, ///< a hypothesis of the search that was kept to its end
        Sampled,
        Branch,  ///< decoded on after a token that a person chose
        Forced,  ///< a person typed all of it
        Dropped, ///< by the search
    };
    What what = What::Greedy;
    std::optional<std::size_t> path; ///< of the run's paths; empty: it is of the search alone
    /// Those that count as output: without the start token, a prompt and padding. Never empty but for the
    /// shown path of a run that has chosen nothing yet.
    std::vector<trace::DecodeTree::NodeId> nodes;
    std::optional<std::size_t> from; ///< the row that it leaves, before it in the list; empty: the shown path
    std::size_t fork = 0;            ///< the first of its nodes that `from` has not
    int beam = 0;          ///< place among the hypotheses that were kept, best first, from 1; 0: none of them
    bool isGreedy = false; ///< at every step the model's most probable token
    bool isEnded = false;  ///< with an end token
    double total = 0;      ///< log-probability of the nodes; NaN if one is not recorded
    std::optional<double> finalScore; ///< of the search

    /// Where the search dropped it.
    struct Cut {
        std::size_t at = 0;          ///< the node, as in `nodes`; one behind the last if it was no candidate
        int better = 0;              ///< hypotheses that were kept in its place
        std::optional<double> score; ///< its log-probability since the search began; empty: it was not listed
        std::optional<double> lastKept; ///< the same, of the least probable one that was kept
    };
    std::optional<Cut> cut;

    double mean() const { return nodes.empty() ? 0 : total / static_cast<double>(nodes.size()); }
};

enum class PathsOf {
    All,   ///< of the dropped ones those that lived longer than one step
    Every, ///< with those that were dropped after one step or at once
    Kept,  ///< none that were dropped
    Mine,  ///< those that a person asked for
};

struct PathRows {
    /// The shown path first. Each other row comes behind the one that it leaves, the latest fork first, so
    /// that a line down from a fork meets no other row's nodes.
    std::vector<PathRow> rows;
    std::size_t folded = 0;  ///< dropped ones that are left out
    std::size_t prompt = 0;  ///< given tokens of a decoder alone, before the first node
    std::size_t columns = 0; ///< nodes of the longest row
};

PathRows pathRows(const trace::Run& run, PathsOf which = PathsOf::All);

/// Hypotheses that stayed in the beam and were more probable in the same step.
int keptBefore(const trace::Run& run, const trace::SearchRecord& record);

} // namespace headscope::analysis
