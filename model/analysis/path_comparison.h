#pragma once

#include "model/analysis/path_scores.h"
#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Two places of two sequences that stand beside each other; nothing where one has no counterpart.
struct AlignedPlace {
    std::optional<std::size_t> first;
    std::optional<std::size_t> second;
    bool same = false; ///< both are there and carry the same token
    friend bool operator==(const AlignedPlace&, const AlignedPlace&) = default;
};

/// Two paths of one decode tree, token by token.
struct PathComparison {
    std::vector<TokenScore> first; ///< tokens of the first path; token i was chosen in row i
    std::vector<TokenScore> second;
    std::vector<AlignedPlace> places; ///< of first and second
    std::size_t common = 0;           ///< tokens before the paths part

    /// Second minus first, where both chose the same token; nothing elsewhere.
    std::optional<double> logProbabilityChange(const AlignedPlace& place) const;
};

/// What both begin with stands side by side; from where they part, places are those of the shortest edit from
/// one to the other (Levenshtein: of equal ones, replaced before left out).
PathComparison comparePaths(const trace::DecodeTree& tree, trace::DecodeTree::NodeId first,
                            trace::DecodeTree::NodeId second);

/// How one head's map differs, second minus first, on the axes of both paths together.
struct MapDifference {
    trace::Matrix values;   ///< [rows, columns]
    trace::MaskMatrix both; ///< 1 where both paths have the cell and it is open in one of them
    std::vector<AlignedPlace> rows;
    std::vector<AlignedPlace> columns;
    double largest = 0; ///< magnitude
};

/// `first` and `second` are two runs of the same source that show the two paths. Cross rows are aligned by
/// the token they chose, decoder-self rows and columns by the token they were fed. Empty where a run has no
/// such map.
MapDifference compareMaps(const PathComparison& paths, const trace::Run& first, const trace::Run& second,
                          const trace::HeadAddress& head);

} // namespace headscope::analysis
