#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

#include "model/trace/attention_site.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Where the small maps of heads stand, row by row, in pixels before scrolling.
struct HeadGridLayout {
    static constexpr int margin = 12;
    static constexpr int gap = 4;

    std::vector<trace::HeadAddress> heads;
    int columns = 0;
    QSize side;    ///< of a picture
    int foot = 0;  ///< room under each picture
    QPoint origin; ///< of the first picture
    QSize whole;   ///< of everything, headings and words included

    bool isEmpty() const { return heads.empty(); }
    int count() const { return static_cast<int>(heads.size()); }
    int rows() const { return columns > 0 ? (count() + columns - 1) / columns : 0; }
    /// The picture at a place, counted from 0.
    QRect cell(int place) const;
    /// What is below it.
    QRect footOf(int place) const;
    std::optional<int> placeOf(const trace::HeadAddress& head) const;
};

/// What has to be laid out, and in what.
struct HeadGridWish {
    std::vector<trace::HeadAddress> heads; ///< at least one
    int columns = 0;                       ///< 0: as many as give the largest pictures
    QSize available;
    QSize headings; ///< left of the rows and above the columns
    int foot = 0;
    int words = 0; ///< height of what stands below all pictures
    /// Pictures that would be too small to see anything in make it higher than there is room for.
    bool mayScroll = false;
};

HeadGridLayout layOutHeads(HeadGridWish wish);

} // namespace headscope::widgets
