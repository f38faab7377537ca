#pragma once

#include <QString>

#include "model/analysis/heads/head_similarity.h"
#include "widgets/tiles/tile_blocks.h"

#include <map>
#include <vector>

namespace headscope::widgets {

/// Mean divergence below which heads are grouped, unless a person chooses another.
inline constexpr double usualGroupThreshold = 0.25;

/// The heads of each kind in groups that look alike.
struct HeadGrouping {
    double threshold = 0; ///< of the mean divergence of two groups that become one
    std::map<trace::AttentionKind, analysis::HeadGroups> kinds;
    std::size_t everyRow = 1; ///< that was compared, where maps are too long to be kept
};

/// Group by group, and last, by themselves, the heads that are like no other. Heads that no group knows are
/// among those; groups with a head that is not among `heads` are left out.
std::vector<TileBlock> blocksInGroups(const std::vector<trace::HeadAddress>& heads,
                                      const HeadGrouping& grouping);

/// "5 heads look alike (mean divergence 0.04 of 1)", and two shorter ways to say so.
std::vector<QString> groupCaptions(const analysis::HeadGroup& group);
/// "8 heads are like no other", and shorter.
std::vector<QString> aloneCaptions(std::size_t heads);

} // namespace headscope::widgets
