#include "widgets/views/head_grid/head_grid_layout.h"

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int smallestSide = 56; ///< below it the grid scrolls, if it is the height that is short
constexpr int headGridLargestSide = 240;
constexpr int headGridLayoutMargin = HeadGridLayout::margin;
constexpr int headGridGap = HeadGridLayout::gap;

/// Of a picture, if there are so many columns.
QSize roomOf(const HeadGridWish& wish, int columns) {
    const int rows = (static_cast<int>(wish.heads.size()) + columns - 1) / columns;
    const int wide = wish.available.width() - wish.headings.width() - 2 * headGridLayoutMargin + headGridGap;
    const int high = wish.available.height() - wish.headings.height() - 2 * headGridLayoutMargin +
                     headGridGap - wish.words;
    return {wide / columns - headGridGap, high / rows - headGridGap - wish.foot};
}

QSize sideOf(const HeadGridWish& wish, int columns) {
    const QSize room = roomOf(wish, columns);
    const int high = room.height();
    const int most = std::clamp(wish.mayScroll ? std::max(high, smallestSide) : high, 8, headGridLargestSide);
    QSize side(std::max(8, std::min(room.width(), most)), 0);
    // Few rows leave height over: maps may be taller than wide, as long as a diagonal still looks like one.
    side.setHeight(std::clamp(high, std::min(side.width(), std::max(8, high)), side.width() * 3 / 2));
    if (wish.mayScroll)
        side.setHeight(std::max(side.height(), std::min(room.width(), smallestSide)));
    return side;
}

int bestColumns(HeadGridWish wish) {
    const int count = static_cast<int>(wish.heads.size());
    const bool mayScroll = std::exchange(wish.mayScroll, false);
    int best = 1;
    QSize largest(0, 0);
    for (int columns = 1; columns <= count; ++columns) {
        const QSize room = roomOf(wish, columns);
        const QSize side = sideOf(wish, columns);
        const bool fits = room.width() >= side.width() && room.height() >= side.height();
        if (fits && side.width() * side.height() > largest.width() * largest.height()) {
            largest = side;
            best = columns;
        }
    }
    if (!mayScroll || std::min(largest.width(), largest.height()) >= smallestSide)
        return best;
    return std::clamp((roomOf(wish, 1).width() + headGridGap) / (smallestSide + headGridGap), 1, count);
}

} // namespace

QRect HeadGridLayout::cell(int place) const {
    return {origin + QPoint(place % columns * (side.width() + headGridGap),
                            place / columns * (side.height() + foot + headGridGap)),
            side};
}

QRect HeadGridLayout::footOf(int place) const {
    const QRect picture = cell(place);
    return {picture.left(), picture.bottom() + 1, picture.width(), foot};
}

std::optional<int> HeadGridLayout::placeOf(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(heads, head);
    return found == heads.end() ? std::nullopt : std::optional(static_cast<int>(found - heads.begin()));
}

HeadGridLayout layOutHeads(HeadGridWish wish) {
    const int columns = wish.columns > 0 ? wish.columns : bestColumns(wish);
    HeadGridLayout layout{
        .columns = columns,
        .side = sideOf(wish, columns),
        .foot = wish.foot,
        .origin = QPoint(headGridLayoutMargin + wish.headings.width(),
                         headGridLayoutMargin + wish.headings.height()),
    };
    layout.heads = std::move(wish.heads);
    const QRect last = layout.footOf(layout.rows() * columns - 1);
    layout.whole =
        QSize(last.right() + headGridLayoutMargin, last.bottom() + headGridLayoutMargin + wish.words);
    return layout;
}

} // namespace headscope::widgets
