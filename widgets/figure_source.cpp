#include "widgets/figure_source.h"

#include "widgets/drawing/theme.h"

#include <QPainter>

namespace headscope::widgets {

void FigureSource::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (const auto blocks = figureBlocks())
        blocks->draw(painter, size, parts_, theme);
}

QSize FigureSource::figureSize() const {
    const auto blocks = figureBlocks();
    return blocks ? blocks->size(parts_) : QSize(800, 640);
}

QSize FigureSource::narrowFigure(int width) const {
    const auto blocks = figureBlocks();
    return blocks ? blocks->size(parts_, width) : figureSize();
}

} // namespace headscope::widgets
