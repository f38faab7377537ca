#include "widgets/plots/bars_picture.h"

#include "widgets/drawing/hatch.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double barsGap = 8;

void drawStripedBar(QPainter& painter, const QRectF& area, const Theme& theme) {
    const QColor colour = categoryColours(theme)[1];
    drawStripes(painter, area, colour, 5);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

double BarsPicture::comfortableRow(const QFont& font) {
    return std::ceil(QFontMetricsF(font).height()) + 6;
}

double BarsPicture::legend(QPainter* painter, const QRectF& area, const QFont& font,
                           const Theme& theme) const {
    if (columns() < 2)
        return 0;
    const QColor fill = categoryColours(theme)[0];
    return drawLegend(
        painter, area,
        {{[fill](QPainter& onto, const QRectF& sample) { onto.fillRect(sample, fill); }, what_[0]},
         {[&theme](QPainter& onto, const QRectF& sample) { drawStripedBar(onto, sample, theme); }, what_[1]}},
        font, theme);
}

QRectF BarsPicture::rowPlace(int row, const QRectF& below, const QFont& font) const {
    const double height = std::min(comfortableRow(font), below.height() / std::max(1, rows()));
    return {below.left(), below.top() + row * height, below.width(), height};
}

QRectF BarsPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const double above = legend(nullptr, area, font, lightTheme());
    const QRectF row = rowPlace(mark.row, area.adjusted(0, above, 0, 0), font);
    const double part = row.height() / columns();
    return {row.left(), row.top() + mark.column * part, row.width(), part};
}

void BarsPicture::draw(QPainter& painter, const QRectF& whole, const QFont& font, const Theme& theme) const {
    const QRectF area = whole.adjusted(0, legend(&painter, whole, font, theme), 0, 0);
    const QFontMetricsF metrics(font);
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks_};
    double names = 0;
    double numbers = 0;
    for (const Bar& bar : bars_) {
        names = std::max(names, style.width(bar.name));
        numbers = std::max(numbers, metrics.horizontalAdvance(bar.number));
    }
    names = std::min(names, area.width() * 0.35);
    const double line = style.lineHeight();
    double free = area.top() - 1; // bottom of the last drawn name
    for (int row = 0; row < rows(); ++row) {
        const Bar& bar = bars_[row];
        const QRectF all = rowPlace(row, area, font);
        if (lit_ == row)
            painter.fillRect(all, theme.panel);
        const double pad = all.height() > 8 ? 3 : all.height() > 3 ? 0.5 : 0;
        QRectF room = all.adjusted(names + barsGap, pad, -numbers - barsGap, -pad);
        if (columns() == 2) {
            room.setHeight(room.height() / 2);
            if (bar.second > 0)
                drawStripedBar(
                    painter,
                    QRectF(room.bottomLeft(), QSizeF(room.width() * bar.second / limit_, room.height())),
                    theme);
        }
        if (signed_)
            drawSignedBar(painter, room, bar.value, limit_, theme);
        else if (limit_ > 0)
            painter.fillRect(
                QRectF(room.left(), room.top(), room.width() * bar.value / limit_, room.height()),
                categoryColours(theme)[0]);
        const double middle = all.center().y();
        if (middle - line / 2 < free - 2)
            continue;
        free = middle + line / 2;
        TokenInk ink = TokenInk::onBackground(theme);
        if (bar.faint)
            ink.text = theme.faintText;
        style.draw(painter, QRectF(area.left(), middle - line / 2, names, line),
                   Qt::AlignLeft | Qt::AlignVCenter, bar.name, ink);
        painter.setFont(font);
        painter.setPen(bar.faint ? theme.faintText : theme.text);
        painter.drawText(QRectF(area.right() - numbers - 2, middle - line / 2, numbers + 2, line),
                         Qt::AlignRight | Qt::AlignVCenter, bar.number);
    }
    if (!signed_)
        painter.fillRect(QRectF(area.left() + names + barsGap - 1, area.top(), 1,
                                rowPlace(rows(), area, font).top() - area.top()),
                         theme.faintText);
}

} // namespace headscope::widgets
