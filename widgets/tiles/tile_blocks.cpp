#include "widgets/tiles/tile_blocks.h"

#include "widgets/tiles/head_tint.h"

#include <algorithm>

namespace headscope::widgets {

int TileBlock::count() const {
    std::size_t heads = 0;
    for (const auto& cluster : clusters)
        heads += cluster.heads.size();
    return heads;
}

int TileBlock::clustersBefore(int column) const {
    int before = 0;
    std::size_t heads = 0;
    for (const auto& cluster : clusters) {
        heads += cluster.heads.size();
        if (std::cmp_greater(heads, column))
            break;
        ++before;
    }
    return before;
}

std::vector<TileBlock> blocksAsInTheModel(const trace::ModelSummary* model,
                                          const std::vector<trace::HeadAddress>& heads) {
    std::vector<TileBlock> blocks;
    for (const auto& head : heads) {
        const bool isFirst = blocks.empty() || blocks.back().kind != head.site.kind;
        if (isFirst)
            blocks.push_back({.kind = head.site.kind});
        auto& block = blocks.back();
        const int sharing = model ? model->headsPerKey(head.site.kind) : 1;
        if (isFirst || (sharing > 1 && head.head % sharing == 0))
            block.clusters.emplace_back();
        block.columns = std::max<int>(block.columns, head.head + 1);
        block.clusters.back().heads.push_back(head);
    }
    return blocks;
}

std::vector<TileBlock> blocksInOrder(const std::vector<trace::HeadAddress>& heads, const HeadTint& tint) {
    auto blocks = blocksAsInTheModel(nullptr, heads);
    for (auto& block : blocks) {
        block.columns = 0;
        std::ranges::stable_sort(block.clusters.front().heads, {},
                                 [&](const auto& head) { return tint.placeOf(head); });
    }
    return blocks;
}

} // namespace headscope::widgets
