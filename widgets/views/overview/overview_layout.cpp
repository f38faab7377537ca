#include "widgets/views/overview/overview_layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int overviewLayoutMargin = 12;
constexpr int blockGap = 24;
constexpr int clusterGap = 10;
constexpr int wideGap = 4;
constexpr int narrowGap = 2;    ///< between pictures too small for more
constexpr int captionClear = 5; ///< from the frame and the marks of a picture
constexpr int smallSide = 24;
constexpr int leastTile = 4;
constexpr int overviewLargestSide = 480;
constexpr double overviewMostStretched = 2.5; ///< largest ratio of the sides: a diagonal still looks like one

/// Places the tiles of one block, line by line.
class BlockPlacer {
  public:
    BlockPlacer(const OverviewWish& wish, const OverviewBlock& block, OverviewLayout& layout, QPoint origin,
                int width)
        : wish_(wish), block_(block), layout_(layout), origin_(origin), right_(origin.x() + width) {}

    /// Returns the bottom of the last line.
    int place() {
        OverviewLayout::Block placed{.kind = block_.kind,
                                     .title = QRect(origin_, QSize(right_ - origin_.x(), wish_.line))};
        y_ = origin_.y() + wish_.line;
        if (block_.columns > 0)
            placeColumnNumbers(placed);
        for (std::size_t cluster = 0; cluster < block_.clusters.size(); ++cluster)
            placeCluster(placed, cluster);
        layout_.blocks.push_back(std::move(placed));
        return lineTop_ + layout_.side.height() + wish_.foot;
    }

  private:
    int left() const { return origin_.x() + (block_.captions ? 0 : wish_.digits + wideGap); }
    int pitch() const { return layout_.side.width() + layout_.gap; }
    int captionHeight() const { return block_.captions ? wish_.line + captionClear : 0; }
    /// Number of tiles that still fit the line.
    int roomLeft() const {
        if (block_.columns > 0)
            return block_.columns - inLine_;
        return std::max(inLine_ == 0 ? 1 : 0, (right_ - x_ + layout_.gap) / pitch());
    }

    void placeColumnNumbers(OverviewLayout::Block& placed) {
        for (int column = 0; column < block_.columns; ++column)
            placed.columns.push_back(
                {column, QRect(left() + column * pitch(), y_, layout_.side.width(), wish_.line)});
        y_ += wish_.line;
    }

    /// `goesOn`: only the current cluster continues on the line, so no caption is needed.
    void newLine(OverviewLayout::Block& placed, int firstNumber, bool goesOn = false) {
        lineTop_ = y_ + (goesOn ? 0 : captionHeight());
        y_ = lineTop_ + layout_.side.height() + wish_.foot + layout_.gap + (block_.captions ? wideGap : 0);
        x_ = left();
        inLine_ = 0;
        ++line_;
        if (!block_.captions)
            placed.rows.push_back(
                {firstNumber, QRect(origin_.x(), lineTop_, wish_.digits, layout_.side.height())});
    }

    void placeCluster(OverviewLayout::Block& placed, std::size_t index) {
        const auto& cluster = block_.clusters[index];
        const bool isLast = index + 1 == block_.clusters.size();
        const int count = static_cast<int>(cluster.heads.size());
        if (line_ >= 0 && inLine_ > 0)
            x_ += clusterGap;
        // Keeps a group together if it fits the next line; the last cluster begins on a new line.
        if (line_ < 0 || (roomLeft() < count && inLine_ > 0) || (isLast && block_.captions && inLine_ > 0))
            newLine(placed, rowNumber());
        OverviewLayout::Cluster there;
        QRect part;
        int remaining = count;
        for (const auto& head : cluster.heads) {
            if (roomLeft() <= 0) {
                there.parts.push_back(part);
                part = QRect();
                // The last cluster begins on a new line.
                const bool isAlone = index + 2 >= block_.clusters.size() || remaining >= inLine_;
                newLine(placed, rowNumber(), isAlone);
            }
            --remaining;
            const QRect picture(QPoint(x_, lineTop_), layout_.side);
            const QRect foot(picture.left(), picture.bottom() + 1, picture.width(), wish_.foot);
            layout_.tiles.push_back({head, picture, foot, line_});
            part |= picture.united(foot.isEmpty() ? picture : foot);
            x_ += pitch();
            ++inLine_;
            ++placedTiles_;
        }
        there.parts.push_back(part);
        if (block_.captions) {
            const QRect first = there.parts.front();
            // Nothing is named to the right of the last cluster.
            const int wide = isLast ? right_ - first.left() : first.width();
            there.caption = QRect(first.left(), first.top() - captionHeight(), wide, wish_.line);
        }
        placed.clusters.push_back(std::move(there));
    }

    /// The layer if columns are heads, else the first rank of the line.
    int rowNumber() const { return block_.columns > 0 ? line_ + 1 : placedTiles_ + 1; }

    const OverviewWish& wish_;
    const OverviewBlock& block_;
    OverviewLayout& layout_;
    QPoint origin_;
    int right_;
    int y_ = 0;
    int x_ = 0;
    int lineTop_ = 0;
    int line_ = -1;
    int inLine_ = 0;
    int placedTiles_ = 0;
};

/// Lays out `perRow` blocks side by side with pictures of this size.
OverviewLayout placed(const OverviewWish& wish, int perRow, QSize side, int gap) {
    OverviewLayout layout{.side = side, .gap = gap};
    const int count = static_cast<int>(wish.blocks.size());
    const int share = (wish.available.width() - 2 * overviewLayoutMargin - (perRow - 1) * blockGap) / perRow;
    int top = overviewLayoutMargin;
    for (int first = 0; first < count; first += perRow) {
        int left = overviewLayoutMargin;
        int bottom = top;
        for (int i = first; i < std::min(count, first + perRow); ++i) {
            const auto& block = wish.blocks[static_cast<std::size_t>(i)];
            const int width = block.columns > 0
                                  ? wish.digits + wideGap + block.columns * (side.width() + gap) - gap
                                  : share;
            bottom = std::max(bottom, BlockPlacer(wish, block, layout, {left, top}, width).place());
            left += width + blockGap;
        }
        layout.bottom = bottom;
        top = bottom + wish.line / 2 + wideGap;
    }
    return layout;
}

bool fits(const OverviewWish& wish, const OverviewLayout& layout) {
    const int right = wish.available.width() - overviewLayoutMargin;
    return layout.bottom + wish.words <= wish.available.height() - overviewLayoutMargin &&
           std::ranges::all_of(layout.tiles, [&](const auto& tile) { return tile.picture.right() < right; });
}

/// Returns the largest side between leastTile and `most` for which the layout of `make` fits.
template <class Make>
int largest(const OverviewWish& wish, int most, Make make) {
    int low = leastTile;
    int high = most;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (fits(wish, make(middle)))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

OverviewLayout best(const OverviewWish& wish, int perRow, int gap) {
    const int square = largest(wish, overviewLargestSide, [&](int side) {
        return placed(wish, perRow, {side, side}, gap);
    });
    const bool free = std::ranges::any_of(wish.blocks, [](const auto& block) { return block.columns == 0; });
    if (free)
        return placed(wish, perRow, {square, square}, gap);
    // Space left in one direction makes the pictures wider or taller.
    const int most = static_cast<int>(square * overviewMostStretched);
    const int wide = largest(wish, most, [&](int side) { return placed(wish, perRow, {side, square}, gap); });
    const int high = largest(wish, wide > square ? square : most, [&](int side) {
        return placed(wish, perRow, {square, side}, gap);
    });
    return placed(wish, perRow, {wide, high}, gap);
}

} // namespace

std::size_t OverviewBlock::count() const {
    std::size_t heads = 0;
    for (const auto& cluster : clusters)
        heads += cluster.heads.size();
    return heads;
}

const OverviewLayout::Tile* OverviewLayout::tileOf(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(tiles, head, &Tile::head);
    return found == tiles.end() ? nullptr : &*found;
}

const OverviewLayout::Tile* OverviewLayout::tileAt(QPoint position) const {
    const auto found = std::ranges::find_if(tiles, [&](const Tile& tile) {
        return tile.picture.contains(position) || tile.foot.contains(position);
    });
    return found == tiles.end() ? nullptr : &*found;
}

OverviewLayout layOutOverview(const OverviewWish& wish) {
    constexpr double nearly =
        0.75; // fraction of the longest shorter side that may be given up for a larger picture
    const auto shorter = [](const OverviewLayout& layout) {
        return std::min(layout.side.width(), layout.side.height());
    };
    const auto size = [](const OverviewLayout& layout) { return layout.side.width() * layout.side.height(); };
    OverviewLayout chosen;
    for (const int gap : {wideGap, narrowGap}) {
        std::vector<OverviewLayout> layouts;
        for (int perRow = 1; perRow <= static_cast<int>(wish.blocks.size()); ++perRow)
            layouts.push_back(best(wish, perRow, gap));
        if (layouts.empty())
            break;
        const int longest = shorter(std::ranges::max(layouts, {}, shorter));
        std::erase_if(layouts, [&](const auto& layout) { return shorter(layout) < nearly * longest; });
        auto largest = std::ranges::max(layouts, {}, size);
        if (chosen.isEmpty() || shorter(largest) > shorter(chosen))
            chosen = std::move(largest);
        if (shorter(chosen) >= smallSide)
            break;
    }
    return chosen;
}

int lowestOverview(const OverviewWish& wish, int side) {
    int largest = 0, height = 0;
    const int right = wish.available.width() - overviewLayoutMargin;
    for (int perRow = 1; perRow <= static_cast<int>(wish.blocks.size()); ++perRow) {
        const auto isNarrow = [&](int of) {
            return std::ranges::all_of(placed(wish, perRow, {of, of}, wideGap).tiles,
                                       [&](const auto& tile) { return tile.picture.right() < right; });
        };
        int fitting = side;
        while (fitting > leastTile && !isNarrow(fitting))
            --fitting;
        const int needed =
            placed(wish, perRow, {fitting, fitting}, wideGap).bottom + wish.words + overviewLayoutMargin;
        if (fitting > largest || (fitting == largest && needed < height)) {
            largest = fitting;
            height = needed;
        }
    }
    return height;
}

std::optional<trace::HeadAddress> neighbourOf(const OverviewLayout& layout, const trace::HeadAddress& head,
                                              Direction direction) {
    const auto* from = layout.tileOf(head);
    if (!from)
        return std::nullopt;
    const bool sideways = direction == Direction::Left || direction == Direction::Right;
    const int sign = direction == Direction::Right || direction == Direction::Down ? 1 : -1;
    const QPoint here = from->picture.center();
    const OverviewLayout::Tile* nearest = nullptr;
    std::pair<int, int> least;
    for (const auto& tile : layout.tiles) {
        const QPoint away = tile.picture.center() - here;
        const int along = sign * (sideways ? away.x() : away.y());
        const int across = std::abs(sideways ? away.y() : away.x());
        // Sideways only within the line; up and down to the nearest head of the next line.
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

std::optional<trace::HeadAddress> endOfLine(const OverviewLayout& layout, const trace::HeadAddress& head,
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
