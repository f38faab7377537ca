#pragma once

#include <QRect>
#include <QSize>

#include "model/trace/attention_site.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Heads that stand together.
struct OverviewCluster {
    std::vector<trace::HeadAddress> heads;
    friend bool operator==(const OverviewCluster&, const OverviewCluster&) = default;
};

/// The heads of one kind.
struct OverviewBlock {
    trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
    int columns = 0; ///< 0: as many as there is room for
    std::vector<OverviewCluster> clusters;
    bool captions = false; ///< a line of words above every cluster

    std::size_t count() const;
};

/// Where the small maps of a whole model stand, and what is written beside them, in pixels.
struct OverviewLayout {
    struct Tile {
        trace::HeadAddress head;
        QRect picture;
        QRect foot; ///< below it
        int line = 0;
        friend bool operator==(const Tile&, const Tile&) = default;
    };
    /// A number at an edge: of a layer or a head, from 0 as in its address, or of a rank, from 1.
    struct Number {
        int number = 0;
        QRect area;
    };
    struct Cluster {
        std::vector<QRect> parts; ///< around its tiles, one a line
        QRect caption;            ///< empty where there is none
    };
    struct Block {
        trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
        QRect title;
        std::vector<Number> rows;
        std::vector<Number> columns;
        std::vector<Cluster> clusters;
    };

    std::vector<Tile> tiles; ///< block by block, in order
    std::vector<Block> blocks;
    QSize side; ///< of a picture
    int gap = 0;
    int bottom = 0; ///< below all tiles

    bool isEmpty() const { return tiles.empty(); }
    const Tile* tileOf(const trace::HeadAddress& head) const;
    const Tile* tileAt(QPoint position) const;
};

/// What has to be laid out, and in what.
struct OverviewWish {
    std::vector<OverviewBlock> blocks;
    QSize available;
    int line = 0;   ///< height of a line of words
    int digits = 0; ///< width of the widest number at the left edge
    int foot = 0;   ///< room below each picture
    int words = 0;  ///< height of what stands below everything
};

/// Blocks beside each other, or below, whichever gives the larger pictures of about the longest shorter side.
/// Nothing scrolls: where there are very many the pictures become very small.
OverviewLayout layOutOverview(const OverviewWish& wish);
/// The least height at the available width for pictures of this side, or the largest that the width allows.
int lowestOverview(const OverviewWish& wish, int side);

enum class Direction { Left, Right, Up, Down };
/// The head that an arrow key goes to from `head`; nothing at an edge.
std::optional<trace::HeadAddress> neighbourOf(const OverviewLayout& layout, const trace::HeadAddress& head,
                                              Direction direction);
/// The first or last head of the line that `head` stands in.
std::optional<trace::HeadAddress> endOfLine(const OverviewLayout& layout, const trace::HeadAddress& head,
                                            bool last);

} // namespace headscope::widgets
