#include "widgets/plots/bars_picture.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double barsGap = 8;

} // namespace

double BarsPicture::comfortableRow(const QFont& font) {
    return std::ceil(QFontMetricsF(font).height()) + 6;
}

/// The full width, so that names and numbers can be hovered too.
QRectF BarsPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const double height = std::min(comfortableRow(font), area.height() / std::max(1, rows()));
    return {area.left(), area.top() + mark.row * height, area.width(), height};
}

void BarsPicture::draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
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
        const Bar& bar = bars_[static_cast<std::size_t>(row)];
        const QRectF all = place({row, 0}, area, font);
        if (lit_ == row)
            painter.fillRect(all, theme.panel);
        const double pad = all.height() > 8 ? 3 : all.height() > 3 ? 0.5 : 0;
        const QRectF room = all.adjusted(names + barsGap, pad, -numbers - barsGap, -pad);
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
        style.draw(painter, QRectF(area.left(), middle - line / 2, names, line),
                   Qt::AlignLeft | Qt::AlignVCenter, bar.name, TokenInk::onBackground(theme));
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(QRectF(area.right() - numbers - 2, middle - line / 2, numbers + 2, line),
                         Qt::AlignRight | Qt::AlignVCenter, bar.number);
    }
    if (!signed_)
        painter.fillRect(QRectF(area.left() + names + barsGap - 1, area.top(), 1,
                                place({rows(), 0}, area, font).top() - area.top()),
                         theme.faintText);
}

} // namespace headscope::widgets
