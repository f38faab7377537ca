// How the page's parts share its room, and what of them a figure has.
#include "widgets/views/positions/score_terms_page.h"

#include "widgets/tables/numbers_table.h"
#include "widgets/views/positions/score_term_maps.h"

#include <QBoxLayout>

namespace headscope::widgets {

void ScoreTermsPage::drawFigure(QPainter& painter, const QRectF& area, const Theme& theme) const {
    maps_->draw(painter, area, theme);
}

QString ScoreTermsPage::namedInWords(const QRectF& area) const {
    return maps_->namedInWords(area);
}

/// Numbers stand beside the maps, or below them where the page is narrow and high.
void ScoreTermsPage::fitPanes() {
    const int line = fontMetrics().height();
    // Below the maps the numbers need a high page, beside them one that is wide enough for both.
    const bool isWide = width() > height() * 1.2;
    const bool isLow = height() < 32 * line + cell_->wholeHeight();
    const bool hasRoom = width() >= numbers_->minimumWidth() + 15 * line;
    panes_->setDirection(isWide || (isLow && hasRoom) ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    // Where there is no room the maps say everything, cell by cell.
    numbers_->setVisible(width() > 38 * line || height() > 38 * line);
    layout()->activate();
}

void ScoreTermsPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitPanes();
    showCell();
}

} // namespace headscope::widgets
