#pragma once

#include <QRect>
#include <QSize>

#include "widgets/tiles/tile_blocks.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Distance between the outer edges and the tiles.
inline constexpr int tileMargin = 12;

/// Positions of small maps and their texts, in pixels before scrolling.
struct TileLayout {
    struct Tile {
        trace::HeadAddress head;
        QRect picture;
        QRect foot; ///< below it
        int line = 0;
        friend bool operator==(const Tile&, const Tile&) = default;
    };
    /// A number at an edge: a layer or a head, from 0, or a rank, from 1.
    struct Number {
        int number = 0;
        QRect area;
    };
    struct Cluster {
        std::vector<QRect> parts; ///< around its tiles, one per line
        QRect caption;            ///< empty if there is none
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
    int right = 0;
    int bottom = 0; ///< below all tiles

    bool isEmpty() const { return tiles.empty(); }
    std::vector<trace::HeadAddress> heads() const;
    const Tile* tileOf(const trace::HeadAddress& head) const;
    const Tile* tileAt(QPoint position) const;
};

/// Limits of the size of pictures, in pixels.
struct TileSides {
    int least = 4;
    int most = 480;
    // Maximum ratio of the sides, at which a diagonal is still recognisable.
    double wide = 2.5;
    double high = 2.5;
    int readable = 0; ///< least side; smaller pictures make the layout higher than the room instead
};

/// Input of layOutTiles(), in pixels.
struct TileLayoutInput {
    std::vector<TileBlock> blocks;
    QSize available;
    int line = 0;         ///< height of a line of text
    bool titles = false;  ///< a line above each block
    QSize headings{0, 0}; ///< left of the rows and above the columns
    int foot = 0;         ///< room below each picture
    int words = 0;        ///< height of the text below everything
    TileSides sides;
    bool choosesColumns = false; ///< the number of columns of the only block maximizes its pictures
};

/// Places blocks beside or below each other. Among layouts whose shorter side is at least 75 %
/// of the best, chooses the largest area.
TileLayout layOutTiles(const TileLayoutInput& input);
/// Returns the least height at the available width for pictures of this side, or the largest that fits.
int lowestTiles(const TileLayoutInput& input, int side);

enum class Direction { Left, Right, Up, Down };
/// Returns the head that an arrow key goes to from `head`; nothing at an edge.
std::optional<trace::HeadAddress> neighbourOf(const TileLayout& layout, const trace::HeadAddress& head,
                                              Direction direction);
/// Returns the first or last head of the line of `head`.
std::optional<trace::HeadAddress> endOfLine(const TileLayout& layout, const trace::HeadAddress& head,
                                            bool last);

} // namespace headscope::widgets
