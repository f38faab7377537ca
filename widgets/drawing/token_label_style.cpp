#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

/// Special tokens are italic unless the italic face lacks a letter, as it often does for Arabic: the missing
/// letters would be empty boxes.
QFont fontOf(const TokenLabel& label, const QFont& upright) {
    if (!label.special)
        return upright;
    QFont slanted = upright;
    slanted.setItalic(true);
    const QFontMetricsF metrics(slanted);
    constexpr char32_t lastOfLatin = 0x24F;
    const auto isThere = [&](char32_t c) { return c <= lastOfLatin || metrics.inFontUcs4(c); };
    return std::ranges::all_of(label.text.toUcs4(), isThere) ? slanted : upright;
}

/// The label's own direction, not the window's. SVG stores no direction, so marks in the text give it.
void drawText(QPainter& painter, const QRectF& area, const QString& text, bool rightToLeft) {
    constexpr QChar rightToLeftMark(0x200F);
    painter.setLayoutDirection(rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
    painter.drawText(
        area, Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
        rightToLeft ? rightToLeftMark + text + rightToLeftMark : text);
}

/// Cached widths of labels in one style.
struct KnownWidths {
    QFont font;
    bool spaceMarks = true;
    QHash<QString, double> widths;
};

} // namespace

TokenInk TokenInk::onBackground(const Theme& theme) {
    return {theme.text, theme.faintText, theme.mark};
}

TokenInk TokenInk::on(const QColor& ground, const QColor& text) {
    const auto third = [](int one, int other) { return (2 * one + other) / 3; };
    const QColor mark(third(ground.red(), text.red()), third(ground.green(), text.green()),
                      third(ground.blue(), text.blue()));
    return {text, text, mark};
}

/// The font's U+2581 is as wide and black as a word; a small open box is drawn instead.
double TokenLabelStyle::markWidth(const TokenLabel& label) const {
    if (label.mark.isEmpty() || !(spaceMarks || label.isMarkNeeded || label.text.isEmpty()))
        return 0;
    return QFontMetricsF(font).xHeight() * (label.text.isEmpty() ? 1.0 : 0.7);
}

double TokenLabelStyle::width(const TokenLabel& label) const {
    const QFontMetricsF text(fontOf(label, font));
    return text.horizontalAdvance(label.text) + markWidth(label) + 1;
}

std::vector<double> TokenLabelStyle::widths(std::span<const TokenLabel> labels) const {
    constexpr qsizetype mostKnown = 20'000;
    thread_local KnownWidths known;
    if (known.font != font || known.spaceMarks != spaceMarks || known.widths.size() > mostKnown)
        known = {.font = font, .spaceMarks = spaceMarks, .widths = {}};
    std::vector<double> all;
    all.reserve(labels.size());
    for (const TokenLabel& label : labels) {
        const QString key = label.mark + (label.special ? QChar('i') : QChar('u')) +
                            (label.isMarkNeeded ? QChar('n') : QChar('o')) + label.text;
        const auto found = known.widths.constFind(key);
        all.push_back(found != known.widths.constEnd() ? *found : *known.widths.insert(key, width(label)));
    }
    return all;
}

double TokenLabelStyle::lineHeight() const {
    return QFontMetricsF(font).height();
}

bool TokenLabelStyle::isElided(const TokenLabel& label, double width) const {
    return this->width(label) > width + 0.5;
}

void TokenLabelStyle::drawMark(QPainter& painter, QPointF left, double width, const QColor& colour) const {
    const double baseline = std::round(left.y() + QFontMetricsF(font).ascent()) + 0.5;
    const double height = std::round(width / 2.5);
    const double right = left.x() + width - std::max(1.0, width / 4);
    painter.setRenderHint(QPainter::Antialiasing); // labels may be rotated
    painter.setPen(QPen(colour, 1, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(QPolygonF({QPointF(left.x(), baseline - height), QPointF(left.x(), baseline),
                                    QPointF(right, baseline), QPointF(right, baseline - height)}));
}

void TokenLabelStyle::draw(QPainter& painter, const QRectF& area, Qt::Alignment alignment,
                           const TokenLabel& label, const TokenInk& ink) const {
    const QFont textFont = fontOf(label, font);
    const double mark = markWidth(label);
    const double room = std::max(0.0, area.width() - mark);
    const QString text = isElided(label, area.width())
                             ? QFontMetricsF(textFont).elidedText(label.text, Qt::ElideMiddle, room)
                             : label.text;
    const double whole =
        std::min(width({.mark = label.mark, .text = text, .special = label.special}), area.width());
    double x = area.left();
    if (alignment & Qt::AlignRight)
        x = area.right() - whole;
    else if (alignment & Qt::AlignHCenter)
        x = area.center().x() - whole / 2;

    painter.save();
    const QRectF line(x, area.top(), whole, area.height());
    // In right-to-left text the space before a word is on its right.
    const bool rightToLeft = label.text.isRightToLeft();
    if (mark > 0) {
        // A lone mark is the text.
        const double top = area.center().y() - lineHeight() / 2;
        const double left = rightToLeft ? line.right() - mark + std::max(1.0, mark / 4) : x;
        drawMark(painter, {std::round(left) + 0.5, top}, mark, label.text.isEmpty() ? ink.text : ink.mark);
    }
    painter.setFont(textFont);
    painter.setPen(label.special ? ink.special : ink.text);
    const QRectF rest = rightToLeft ? line.adjusted(0, 0, 1 - mark, 0) : line.adjusted(mark, 0, 1, 0);
    drawText(painter, rest, text, rightToLeft);
    if (label.byte) {
        const double below = std::round(area.center().y() + lineHeight() / 2) - 1.5;
        painter.setPen(QPen(ink.special, 1, Qt::DotLine));
        painter.drawLine(QPointF(rest.left(), below), QPointF(rest.right() - 1, below));
    }
    painter.restore();
}

} // namespace headscope::widgets
