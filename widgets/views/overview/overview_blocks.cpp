#include "widgets/views/overview/overview_blocks.h"

#include "widgets/tiles/head_tint.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

struct OverviewBlocksWords {
    Q_DECLARE_TR_FUNCTIONS(Overview)
};

QString divergenceText(double divergence) {
    return QString::number(divergence, 'f', 2);
}

} // namespace

std::vector<TileBlock> blocksInGroups(const std::vector<trace::HeadAddress>& heads,
                                      const HeadGrouping& grouping) {
    auto blocks = blocksInOrder(heads, {});
    for (auto& block : blocks) {
        auto alone = std::exchange(block.clusters, {}).front().heads;
        block.captions = true;
        const auto found = grouping.kinds.find(block.kind);
        if (found != grouping.kinds.end())
            for (const auto& group : found->second.alike)
                if (std::ranges::all_of(group.heads, [&](const auto& head) {
                        return std::ranges::find(alone, head) != alone.end();
                    })) {
                    block.clusters.push_back({group.heads, groupCaptions(group)});
                    std::erase_if(alone, [&](const auto& head) {
                        return std::ranges::find(group.heads, head) != group.heads.end();
                    });
                }
        if (!alone.empty())
            block.clusters.push_back({alone, aloneCaptions(alone.size())});
    }
    return blocks;
}

std::vector<QString> groupCaptions(const analysis::HeadGroup& group) {
    const auto heads = group.heads.size();
    const QString divergence = divergenceText(group.divergence);
    return {OverviewBlocksWords::tr("%1 similar heads (mean divergence %2 of 1)").arg(heads).arg(divergence),
            OverviewBlocksWords::tr("%1 similar, %2").arg(heads).arg(divergence), divergence};
}

std::vector<QString> aloneCaptions(std::size_t heads) {
    return {heads == 1 ? OverviewBlocksWords::tr("1 head in no group")
                       : OverviewBlocksWords::tr("%1 heads in no group").arg(heads),
            heads == 1 ? OverviewBlocksWords::tr("alone") : OverviewBlocksWords::tr("%1 alone").arg(heads),
            heads == 1 ? QString() : QString::number(heads)};
}

} // namespace headscope::widgets
