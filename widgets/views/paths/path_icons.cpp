#include "widgets/views/paths/path_icons.h"

#include <QPainter>
#include <QPainterPath>

namespace headscope::widgets {

namespace {

using What = analysis::PathRow::What;

constexpr double iconSide = 14; ///< units of the shapes below

void drawDie(QPainter& painter) {
    painter.drawRoundedRect(QRectF(1.5, 1.5, 11, 11), 2, 2);
    painter.setBrush(painter.pen().color());
    for (const QPointF dot : {QPointF(4.5, 4.5), QPointF(7, 7), QPointF(9.5, 9.5)})
        painter.drawEllipse(dot, 0.8, 0.8);
}

void drawPadlock(QPainter& painter) {
    painter.drawRoundedRect(QRectF(2, 6, 10, 7), 1, 1);
    QPainterPath bow(QPointF(4, 6));
    bow.lineTo(4, 4);
    bow.arcTo(QRectF(4, 1, 6, 6), 180, -180);
    bow.lineTo(10, 6);
    painter.drawPath(bow);
}

/// From one to three.
void drawFork(QPainter& painter) {
    for (const double end : {2.5, 7.0, 11.5}) {
        QPainterPath line(QPointF(1, 7));
        line.cubicTo(QPointF(6, 7), QPointF(6, end), QPointF(12.5, end));
        painter.drawPath(line);
    }
}

void drawBranch(QPainter& painter) {
    painter.drawLine(QPointF(3.5, 4.5), QPointF(3.5, 9.5));
    QPainterPath line(QPointF(3.5, 9));
    line.cubicTo(QPointF(3.5, 6.5), QPointF(10.5, 8.5), QPointF(10.5, 5));
    painter.drawPath(line);
    for (const QPointF end : {QPointF(3.5, 3), QPointF(3.5, 11), QPointF(10.5, 3.5)})
        painter.drawEllipse(end, 1.6, 1.6);
}

void drawCheck(QPainter& painter) {
    painter.drawEllipse(QPointF(7, 7), 5.8, 5.8);
    painter.drawPolyline(QPolygonF({QPointF(4.2, 7.2), QPointF(6.3, 9.2), QPointF(9.8, 5)}));
}

void drawScissors(QPainter& painter) {
    for (const double sign : {-1.0, 1.0}) {
        painter.drawEllipse(QPointF(3.2, 7 + 3.6 * sign), 2, 2);
        painter.drawLine(QPointF(4.8, 7 + 2.4 * sign), QPointF(12.8, 7 - 3.6 * sign));
    }
}

template <class Draw>
void drawn(QPainter& painter, const QRectF& area, const QColor& colour, const Draw& draw) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.topLeft());
    painter.scale(area.width() / iconSide, area.height() / iconSide);
    painter.setPen(QPen(colour, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    draw();
    painter.restore();
}

} // namespace

void drawPathIcon(QPainter& painter, const QRectF& area, const analysis::PathRow& row, bool isShown,
                  const QColor& colour) {
    drawn(painter, area, colour, [&] {
        if (row.what == What::Forced)
            drawPadlock(painter);
        else if (row.what == What::Dropped)
            drawScissors(painter);
        else if (isShown)
            drawCheck(painter);
        else if (row.what == What::Branch)
            drawBranch(painter);
        else if (row.what == What::Sampled)
            drawDie(painter);
        else if (row.what == What::Beam)
            drawFork(painter);
        else
            drawCheck(painter);
    });
}

void drawScissors(QPainter& painter, const QRectF& area, const QColor& colour) {
    drawn(painter, area, colour, [&] { drawScissors(painter); });
}

} // namespace headscope::widgets
