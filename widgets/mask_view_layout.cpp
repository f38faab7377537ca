// How maps, words and controls of the masks share their room.
#include "widgets/linked_maps.h"
#include "widgets/mask_view.h"
#include "widgets/mask_words.h"
#include "widgets/tall_area.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

// In lines of text: what a map needs with its title and labels, and what stands above and below all of them.
constexpr int lowestMap = 10;
constexpr int narrowestMap = 8;
constexpr int besidesMaps = 2;

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

/// Maps in as many rows as the width makes of them keep the room that they need at this text size.
void MaskView::keepHeights() {
    const int line = fontMetrics().height();
    for (LinkedMaps* each : {why_, shownEffect_}) {
        const auto pictures = static_cast<int>(
            std::ranges::count_if(each->maps(), [](const LinkedMap& map) { return !map.values.empty(); }));
        const int columns = std::max(1, std::min(pictures, width() / (narrowestMap * line)));
        const int rows = (pictures + columns - 1) / columns;
        each->setMinimumHeight(each == mapsInSight() ? (rows * lowestMap + besidesMaps) * line : 0);
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
