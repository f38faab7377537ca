#include "widgets/controls/figure_view.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"

#include <QPainter>

namespace headscope::widgets {

void FigureView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight);
    painter.fillRect(rect(), theme.background);
    if (hasFigure())
        drawFigure(painter, size(), theme);
    else
        drawEmptyState(painter, rect(), whyEmpty(), wayOutInWindow(), theme);
}

} // namespace headscope::widgets
