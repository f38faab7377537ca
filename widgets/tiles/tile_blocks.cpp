#include "widgets/tiles/tile_blocks.h"

#include "widgets/tiles/head_tint.h"

#include <algorithm>

namespace headscope::widgets {

int TileBlock::count() const {
    std::size_t heads = 0;
    for (const auto& cluster : clusters)
        heads += cluster.heads.size();
    return static_cast<int>(heads);
}

std::vector<TileBlock> blocksAsInTheModel(const std::vector<trace::HeadAddress>& heads) {
    std::vector<TileBlock> blocks;
    for (const auto& head : heads) {
        if (blocks.empty() || blocks.back().kind != head.site.kind)
            blocks.push_back({.kind = head.site.kind, .clusters = std::vector<TileCluster>(1)});
        blocks.back().columns = std::max(blocks.back().columns, head.head + 1);
        blocks.back().clusters.front().heads.push_back(head);
    }
    return blocks;
}

std::vector<TileBlock> blocksInOrder(const std::vector<trace::HeadAddress>& heads, const HeadTint& tint) {
    auto blocks = blocksAsInTheModel(heads);
    for (auto& block : blocks) {
        block.columns = 0;
        std::ranges::stable_sort(block.clusters.front().heads, {},
                                 [&](const auto& head) { return tint.placeOf(head); });
    }
    return blocks;
}

} // namespace headscope::widgets
