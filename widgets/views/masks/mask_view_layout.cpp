// How maps, words and controls of the masks share their room.
#include "widgets/controls/tall_area.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/mask_words.h"
#include "widgets/views/masks/mask_view.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

// In lines of text: what a map needs with its title and labels, and what stands above and below all of them.
constexpr int maskViewLowestMap = 10;
constexpr int maskViewNarrowestMap = 8;
constexpr int besidesMaps = 2;
constexpr int besidesCells = 6; ///< title and labels of a map

} // namespace

/// Where there is too little room for maps and words, all of it scrolls.
QWidget* MaskView::buildMapsPage() {
    maps_->addWidget(why_);
    maps_->addWidget(shownEffect_);
    detail_->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(maps_, 1);
    column->addWidget(detail_);
    column->addWidget(caption_);
    auto* area = new TallArea(content, this);
    for (QWidget* clear : std::initializer_list<QWidget*>{area->viewport(), content})
        clear->setAutoFillBackground(false); // the view's own stands behind
    return area;
}

/// Maps in as many rows as the width makes of them keep the room that they need at this text size. Where
/// cells would be narrower than half a line there are two rows, which scroll.
void MaskView::keepHeights() {
    const int line = fontMetrics().height();
    for (LinkedMaps* each : {why_, shownEffect_}) {
        int pictures = 0;
        int cells = 0; ///< across; none of an image, which has none to be seen
        int words = 0; ///< how high those stand that say why there is no picture
        for (const LinkedMap& map : each->maps()) {
            if (map.values.empty()) {
                const QRect room(0, 0, std::max(1, width() - 2 * line), QWIDGETSIZE_MAX);
                words += 2 * line + fontMetrics().boundingRect(room, Qt::TextWordWrap, map.words).height();
                continue;
            }
            ++pictures;
            if (isDrawnAsCells(map.values.rows(), map.values.columns()))
                cells = std::max(cells, static_cast<int>(map.values.columns()));
        }
        int columns = std::max(1, std::min(pictures, width() / (maskViewNarrowestMap * line)));
        int lines = maskViewLowestMap;
        if (const int two = std::max(1, (pictures + 1) / 2);
            columns > two && (width() - besidesCells * line) / columns < cells * line / 2) {
            columns = two;
            lines = std::max(lines, besidesCells + cells / 2);
        }
        const int rows = (pictures + columns - 1) / columns;
        each->setMinimumHeight(each == mapsInSight() ? (rows * lines + besidesMaps) * line + words : 0);
    }
    reserveDetail();
}

/// Room for what is said of any cell, so that the maps keep their place while the pointer moves.
void MaskView::reserveDetail() {
    if (effect_.empty() && !isLong())
        return;
    QString longest;
    const auto& record = *run_->record(head().site);
    const int last = static_cast<int>(record.keys()) - 1;
    const int rows = static_cast<int>(record.queries());
    for (int row = 0; row < rows; row += std::max(1, rows / 24)) // some stand for all
        for (const int column : {0, last})
            if (const QString words = maskedCellInWords(*run_, head(), {row, column});
                words.size() > longest.size())
                longest = words;
    const int width = std::max(80, this->width() - 24);
    const QFontMetrics metrics = detail_->fontMetrics();
    const int wanted = metrics.boundingRect(0, 0, width, 10000, Qt::TextWordWrap, longest).height();
    detail_->setMinimumHeight(std::min(wanted, 3 * metrics.height())); // a narrow view is not to grow high
}

} // namespace headscope::widgets
