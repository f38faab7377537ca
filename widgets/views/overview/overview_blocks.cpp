#include "widgets/views/overview/overview_blocks.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::widgets {

namespace {

using trace::AttentionKind;
using trace::HeadAddress;

struct OverviewBlocksWords {
    Q_DECLARE_TR_FUNCTIONS(Overview)
};

/// Layer by layer.
std::vector<HeadAddress> headsOf(const trace::Run& run, AttentionKind kind) {
    std::vector<HeadAddress> heads;
    for (int layer = 0; const auto* record = run.record({kind, layer}); ++layer)
        for (std::size_t head = 0; head < record->heads(); ++head)
            heads.push_back({{kind, layer}, static_cast<int>(head)});
    return heads;
}

QString divergenceText(double divergence) {
    return QString::number(divergence, 'f', 2);
}

} // namespace

std::vector<OverviewBlock> blocksAsInTheModel(const trace::Run& run) {
    std::vector<OverviewBlock> blocks;
    for (const auto kind : trace::attentionKinds) {
        const auto heads = headsOf(run, kind);
        if (heads.empty())
            continue;
        const int across = std::ranges::max(heads, {}, &HeadAddress::head).head + 1;
        blocks.push_back({.kind = kind, .columns = across, .clusters = {{heads}}});
    }
    return blocks;
}

std::vector<OverviewBlock> blocksInOrder(const trace::Run& run, const HeadTint& tint) {
    auto blocks = blocksAsInTheModel(run);
    for (auto& block : blocks) {
        block.columns = 0;
        std::ranges::stable_sort(block.clusters.front().heads, {},
                                 [&](const auto& head) { return tint.placeOf(head); });
    }
    return blocks;
}

std::vector<OverviewBlock> blocksInGroups(const trace::Run& run, const HeadGrouping& grouping) {
    auto blocks = blocksAsInTheModel(run);
    for (auto& block : blocks) {
        auto alone = std::exchange(block.clusters, {}).front().heads;
        block.columns = 0;
        block.captions = true;
        const auto found = grouping.kinds.find(block.kind);
        if (found != grouping.kinds.end())
            for (const auto& group : found->second.alike)
                if (std::ranges::all_of(group.heads, [&](const auto& head) {
                        return std::ranges::find(alone, head) != alone.end();
                    })) {
                    block.clusters.push_back({group.heads});
                    std::erase_if(alone, [&](const auto& head) {
                        return std::ranges::find(group.heads, head) != group.heads.end();
                    });
                }
        if (!alone.empty())
            block.clusters.push_back({alone});
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
