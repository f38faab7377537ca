#pragma once

#include <QRect>
#include <QSize>

#include "model/trace/attention_site.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Heads placed next to each other.
struct OverviewCluster {
    std::vector<trace::HeadAddress> heads;
    friend bool operator==(const OverviewCluster&, const OverviewCluster&) = default;
};

/// All heads of one kind.
struct OverviewBlock {
    trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
    int columns = 0; ///< 0: as many as fit
    std::vector<OverviewCluster> clusters;
    bool captions = false; ///< reserve a line of text above every cluster

    std::size_t count() const;
};

/// Positions of the small maps of a whole model and of their labels, in pixels.
struct OverviewLayout {
    struct Tile {
        trace::HeadAddress head;
        QRect picture;
        QRect foot; ///< below the picture
        int line = 0;
        friend bool operator==(const Tile&, const Tile&) = default;
    };
    /// A number at an edge: a layer or head from 0, as in its address, or a rank from 1.
    struct Number {
        int number = 0;
        QRect area;
    };
    struct Cluster {
        std::vector<QRect> parts; ///< bounds of its tiles, one per line
        QRect caption;            ///< empty if there is none
    };
    struct Block {
        trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
        QRect title;
        std::vector<Number> rows;
        std::vector<Number> columns;
        std::vector<Cluster> clusters;
    };

    std::vector<Tile> tiles; ///< in the order of the blocks
    std::vector<Block> blocks;
    QSize side; ///< size of a picture
    int gap = 0;
    int bottom = 0; ///< of all tiles

    bool isEmpty() const { return tiles.empty(); }
    const Tile* tileOf(const trace::HeadAddress& head) const;
    const Tile* tileAt(QPoint position) const;
};

/// Input of a layout. Lengths are in pixels.
struct OverviewWish {
    std::vector<OverviewBlock> blocks;
    QSize available;
    int line = 0;   ///< height of a line of text
    int digits = 0; ///< width of the widest number at the left edge
    int foot = 0;   ///< height reserved below each picture
    int words = 0;  ///< height of the caption and the legend below all pictures
};

/// Places blocks side by side or below each other. Of the arrangements whose pictures have nearly the longest
/// shorter side, chooses the one with the largest pictures. Never scrolls: very many heads get very small
/// pictures.
OverviewLayout layOutOverview(const OverviewWish& wish);
/// Returns the least height at the available width for pictures with this side, or with the largest side that
/// the width allows.
int lowestOverview(const OverviewWish& wish, int side);

enum class Direction { Left, Right, Up, Down };
/// Returns the head that an arrow key moves to from `head`; nullopt at an edge.
std::optional<trace::HeadAddress> neighbourOf(const OverviewLayout& layout, const trace::HeadAddress& head,
                                              Direction direction);
/// Returns the first or last head of the line that contains `head`.
std::optional<trace::HeadAddress> endOfLine(const OverviewLayout& layout, const trace::HeadAddress& head,
                                            bool last);

} // namespace headscope::widgets
