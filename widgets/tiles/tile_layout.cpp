#include "widgets/tiles/tile_layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int blockGap = 24;
constexpr int clusterGap = 10;
constexpr int wideGap = 4;
constexpr int narrowGap = 2;    ///< between small pictures
constexpr int captionClear = 5; ///< distance to the frame and the marks of a picture
constexpr int smallSide = 24;

/// Places the tiles of one block, line by line.
class BlockPlacer {
  public:
    BlockPlacer(const TileLayoutInput& input, const TileBlock& block, TileLayout& layout, QPoint origin,
                int width)
        : input_(input), block_(block), layout_(layout), origin_(origin), right_(origin.x() + width) {}

    /// Returns the y below the last line.
    int place() {
        const int title = input_.titles ? input_.line : 0;
        TileLayout::Block placed{.kind = block_.kind,
                                 .title = QRect(origin_, QSize(right_ - origin_.x(), title))};
        y_ = origin_.y() + title;
        if (block_.columns > 0 && !input_.headings.isEmpty())
            placeColumnNumbers(placed);
        for (std::size_t cluster = 0; cluster < block_.clusters.size(); ++cluster)
            placeCluster(placed, cluster);
        layout_.blocks.push_back(std::move(placed));
        return lineTop_ + layout_.side.height() + input_.foot;
    }

  private:
    int left() const { return origin_.x() + (block_.captions ? 0 : input_.headings.width()); }
    int pitch() const { return layout_.side.width() + layout_.gap; }
    int captionHeight() const { return block_.captions ? input_.line + captionClear : 0; }
    /// Returns how many more tiles fit into the line.
    int roomLeft() const {
        if (block_.columns > 0)
            return block_.columns - inLine_;
        return std::max(inLine_ == 0 ? 1 : 0, (right_ - x_ + layout_.gap) / pitch());
    }

    void placeColumnNumbers(TileLayout::Block& placed) {
        for (int column = 0; column < block_.columns; ++column)
            placed.columns.push_back(
                {column, QRect(left() + column * pitch() + block_.clustersBefore(column) * clusterGap, y_,
                               layout_.side.width(), input_.line)});
        y_ += input_.headings.height();
    }

    /// `continuesCluster`: true if the line only continues a cluster from above, so no caption needs room.
    void newLine(TileLayout::Block& placed, int firstNumber, bool continuesCluster = false) {
        lineTop_ = y_ + (continuesCluster ? 0 : captionHeight());
        y_ = lineTop_ + layout_.side.height() + input_.foot + layout_.gap + (block_.captions ? wideGap : 0);
        x_ = left();
        inLine_ = 0;
        ++line_;
        if (!block_.captions && !input_.headings.isEmpty())
            placed.rows.push_back(
                {firstNumber, QRect(origin_.x(), lineTop_, input_.headings.width(), layout_.side.height())});
    }

    void placeCluster(TileLayout::Block& placed, std::size_t index) {
        const auto& cluster = block_.clusters[index];
        const bool isLast = index + 1 == block_.clusters.size();
        const int count = cluster.heads.size();
        if (line_ >= 0 && inLine_ > 0)
            x_ += clusterGap;
        // A group stays whole if the next line has room for it; the last one begins a line.
        if (line_ < 0 || (roomLeft() < count && inLine_ > 0) || (isLast && block_.captions && inLine_ > 0))
            newLine(placed, rowNumber());
        TileLayout::Cluster there;
        QRect part;
        int remaining = count;
        for (const auto& head : cluster.heads) {
            if (roomLeft() <= 0) {
                there.parts.push_back(part);
                part = QRect();
                // The last cluster begins a line of its own.
                const bool isAlone = index + 2 >= block_.clusters.size() || remaining >= inLine_;
                newLine(placed, rowNumber(), isAlone);
            }
            --remaining;
            const QRect picture(QPoint(x_, lineTop_), layout_.side);
            const QRect foot(picture.left(), picture.bottom() + 1, picture.width(), input_.foot);
            layout_.tiles.push_back({head, picture, foot, line_});
            layout_.right = std::max(layout_.right, picture.right() + 1);
            part |= picture.united(foot.isEmpty() ? picture : foot);
            x_ += pitch();
            ++inLine_;
            ++placedTiles_;
        }
        there.parts.push_back(part);
        if (block_.captions) {
            const QRect first = there.parts.front();
            // The last cluster has no caption beside its caption.
            const int wide = isLast ? right_ - first.left() : first.width();
            there.caption = QRect(first.left(), first.top() - captionHeight(), wide, input_.line);
        }
        placed.clusters.push_back(std::move(there));
    }

    /// The layer if columns are heads, otherwise the rank of the first tile in the line.
    int rowNumber() const { return block_.columns > 0 ? line_ + 1 : placedTiles_ + 1; }

    const TileLayoutInput& input_;
    const TileBlock& block_;
    TileLayout& layout_;
    QPoint origin_;
    int right_;
    int y_ = 0;
    int x_ = 0;
    int lineTop_ = 0;
    int line_ = -1;
    int inLine_ = 0;
    int placedTiles_ = 0;
};

/// Returns the layout with `perRow` blocks beside each other and pictures of this size.
TileLayout placed(const TileLayoutInput& input, int perRow, QSize side, int gap) {
    TileLayout layout{.side = side, .gap = gap};
    const int count = input.blocks.size();
    const int share = (input.available.width() - 2 * tileMargin - (perRow - 1) * blockGap) / perRow;
    int top = tileMargin;
    for (int first = 0; first < count; first += perRow) {
        int left = tileMargin;
        int bottom = top;
        for (int i = first; i < std::min(count, first + perRow); ++i) {
            const auto& block = input.blocks[i];
            const int width = block.columns > 0
                                  ? input.headings.width() + block.columns * (side.width() + gap) - gap +
                                        block.clustersBefore(block.columns - 1) * clusterGap
                                  : share;
            bottom = std::max(bottom, BlockPlacer(input, block, layout, {left, top}, width).place());
            left += width + blockGap;
        }
        layout.bottom = bottom;
        top = bottom + input.line / 2 + wideGap;
    }
    return layout;
}

bool fitsAcross(const TileLayoutInput& input, const TileLayout& layout) {
    return layout.right <= input.available.width() - tileMargin;
}

bool fits(const TileLayoutInput& input, const TileLayout& layout) {
    return layout.bottom + input.words <= input.available.height() - tileMargin && fitsAcross(input, layout);
}

/// Returns the largest side up to `most` for which `make` returns a layout that `isRight`.
template <class Make>
int largest(const TileLayoutInput& input, int most,
            bool (*isRight)(const TileLayoutInput&, const TileLayout&), Make make) {
    int low = input.sides.least;
    int high = most;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (isRight(input, make(middle)))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

TileLayout squares(const TileLayoutInput& input, int perRow, int gap, int side) {
    return placed(input, perRow, {side, side}, gap);
}

TileLayout best(const TileLayoutInput& input, int perRow, int gap) {
    const int square =
        largest(input, input.sides.most, fits, [&](int side) { return squares(input, perRow, gap, side); });
    const bool free = std::ranges::any_of(input.blocks, [](const auto& block) { return block.columns == 0; });
    if (free)
        return squares(input, perRow, gap, square);
    // Remaining room in one direction makes pictures wider or taller.
    const auto most = [&](double stretched) { return static_cast<int>(square * stretched); };
    const int wide = largest(input, most(input.sides.wide), fits, [&](int side) {
        return placed(input, perRow, {side, square}, gap);
    });
    const int high = largest(input, wide > square ? square : most(input.sides.high), fits, [&](int side) {
        return placed(input, perRow, {square, side}, gap);
    });
    return placed(input, perRow, {wide, high}, gap);
}

/// Returns a layout for every number of lines, each with as few columns as possible.
std::vector<TileLayout> inColumns(TileLayoutInput input, int gap) {
    std::vector<TileLayout> layouts;
    const int count = input.blocks.front().count();
    for (int lines = count, columns = 0; lines >= 1; lines = (count - 1) / columns) {
        columns = input.blocks.front().columns = (count + lines - 1) / lines;
        layouts.push_back(best(input, 1, gap));
    }
    return layouts;
}

int shorterSide(const TileLayout& layout) {
    return std::min(layout.side.width(), layout.side.height());
}

} // namespace

std::vector<trace::HeadAddress> TileLayout::heads() const {
    std::vector<trace::HeadAddress> heads;
    for (const auto& tile : tiles)
        heads.push_back(tile.head);
    return heads;
}

const TileLayout::Tile* TileLayout::tileOf(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(tiles, head, &Tile::head);
    return found == tiles.end() ? nullptr : &*found;
}

const TileLayout::Tile* TileLayout::tileAt(QPoint position) const {
    const auto found = std::ranges::find_if(tiles, [&](const Tile& tile) {
        return tile.picture.contains(position) || tile.foot.contains(position);
    });
    return found == tiles.end() ? nullptr : &*found;
}

TileLayout layOutTiles(const TileLayoutInput& input) {
    constexpr double nearly = 0.75; // accepted share of the best shorter side
    const auto size = [](const TileLayout& layout) { return layout.side.width() * layout.side.height(); };
    if (input.blocks.empty())
        return {};
    TileLayout chosen;
    for (const int gap : {wideGap, narrowGap}) {
        std::vector<TileLayout> layouts;
        if (input.choosesColumns)
            layouts = inColumns(input, gap);
        else
            for (int perRow = 1; perRow <= std::ssize(input.blocks); ++perRow)
                layouts.push_back(best(input, perRow, gap));
        const int longest = shorterSide(std::ranges::max(layouts, {}, shorterSide));
        std::erase_if(layouts, [&](const auto& layout) { return shorterSide(layout) < nearly * longest; });
        auto candidate = std::ranges::max(layouts, {}, size);
        if (chosen.isEmpty() || shorterSide(candidate) > shorterSide(chosen))
            chosen = std::move(candidate);
        if (shorterSide(chosen) >= smallSide)
            break;
    }
    if (shorterSide(chosen) < input.sides.readable) {
        const auto make = [&](int side) { return squares(input, 1, wideGap, side); };
        auto higher = make(largest(input, input.sides.readable, fitsAcross, make));
        if (shorterSide(higher) > shorterSide(chosen))
            chosen = std::move(higher);
    }
    return chosen;
}

int lowestTiles(const TileLayoutInput& input, int side) {
    int widest = 0, height = 0;
    for (int perRow = 1; perRow <= std::ssize(input.blocks); ++perRow) {
        const auto make = [&](int of) { return squares(input, perRow, wideGap, of); };
        const auto layout = make(largest(input, side, fitsAcross, make));
        const int needed = layout.bottom + input.words + tileMargin;
        if (layout.side.width() > widest || (layout.side.width() == widest && needed < height)) {
            widest = layout.side.width();
            height = needed;
        }
    }
    return height;
}

std::optional<trace::HeadAddress> neighbourOf(const TileLayout& layout, const trace::HeadAddress& head,
                                              Direction direction) {
    const auto* from = layout.tileOf(head);
    if (!from)
        return std::nullopt;
    const bool sideways = direction == Direction::Left || direction == Direction::Right;
    const int sign = direction == Direction::Right || direction == Direction::Down ? 1 : -1;
    const QPoint here = from->picture.center();
    const TileLayout::Tile* nearest = nullptr;
    std::pair<int, int> least;
    for (const auto& tile : layout.tiles) {
        const QPoint away = tile.picture.center() - here;
        const int along = sign * (sideways ? away.x() : away.y());
        const int across = std::abs(sideways ? away.y() : away.x());
        // Left and right within the line; up and down to the nearest tile of the next line.
        if (along <= 0 || (sideways && across >= layout.side.height()))
            continue;
        const std::pair<int, int> distance = sideways ? std::pair(across, along) : std::pair(along, across);
        if (!nearest || distance < least) {
            nearest = &tile;
            least = distance;
        }
    }
    return nearest ? std::optional(nearest->head) : std::nullopt;
}

std::optional<trace::HeadAddress> endOfLine(const TileLayout& layout, const trace::HeadAddress& head,
                                            bool last) {
    const auto* from = layout.tileOf(head);
    if (!from)
        return std::nullopt;
    const auto* end = from;
    for (const auto& tile : layout.tiles)
        if (tile.head.site.kind == head.site.kind && tile.line == from->line &&
            (last ? tile.picture.left() > end->picture.left() : tile.picture.left() < end->picture.left()))
            end = &tile;
    return end->head;
}

} // namespace headscope::widgets
