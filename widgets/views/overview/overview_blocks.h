#pragma once

#include <QString>

#include "model/analysis/heads/head_similarity.h"
#include "model/trace/run.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/views/overview/overview_layout.h"

#include <map>
#include <vector>

namespace headscope::widgets {

/// Default of the mean divergence below which heads are grouped.
inline constexpr double usualGroupThreshold = 0.25;

/// The heads of each kind in groups of similar heads.
struct HeadGrouping {
    double threshold = 0; ///< mean divergence below which two groups are merged
    std::map<trace::AttentionKind, analysis::HeadGroups> kinds;
    std::size_t everyRow = 1; ///< one row in everyRow is compared, for maps that are not stored
};

/// One block for each kind of attention in the run, layers down and heads across.
std::vector<OverviewBlock> blocksAsInTheModel(const trace::Run& run);
/// Each kind sorted by `tint`, highest first; heads without a value last, in the order of the model.
std::vector<OverviewBlock> blocksInOrder(const trace::Run& run, const HeadTint& tint);
/// Group by group; the last cluster of a kind holds the heads in no group, including heads unknown to
/// `grouping`. Skips groups with heads that the run does not have.
std::vector<OverviewBlock> blocksInGroups(const trace::Run& run, const HeadGrouping& grouping);

/// "5 similar heads (mean divergence 0.04 of 1)" and two shorter versions.
std::vector<QString> groupCaptions(const analysis::HeadGroup& group);
/// "8 heads in no group" and shorter versions.
std::vector<QString> aloneCaptions(std::size_t heads);

} // namespace headscope::widgets
