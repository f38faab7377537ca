#include "widgets/views/lines/lines_drawing.h"

#include "widgets/drawing/theme.h"
#include "widgets/views/lines/line_raster.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <map>

namespace headscope::widgets {

namespace {

// Lines of one head with similar weights share a pen and are drawn together.
constexpr int levels = 16;

int levelOf(double weight, double most) {
    return static_cast<int>(std::clamp(weight / most * levels, 0.0, levels - 1.0));
}

double widthOf(int level) {
    return 0.75 + 3.25 * (level + 0.5) / levels;
}

HeadInk inkOf(HeadInk ink, int level) {
    ink.colour.setAlphaF(static_cast<float>(0.12 + 0.88 * (level + 0.5) / levels));
    return ink;
}

bool isInSight(const QLineF& line, const QRectF& area) {
    return std::max(line.y1(), line.y2()) >= area.top() && std::min(line.y1(), line.y2()) <= area.bottom();
}

QString shortNumber(float weight) {
    return QString::number(static_cast<double>(weight), 'f', 2);
}

double oneNumberWidth(const QFont& font) {
    return QFontMetricsF(font).horizontalAdvance(QStringLiteral("0.00")) + 8;
}

bool isInSight(const QRectF& label, const QRectF& area) {
    return label.top() >= area.top() - label.height() && label.bottom() <= area.bottom() + label.height();
}

/// With a background as wide as the text.
void drawLitLabel(QPainter& painter, const LinesPicture& picture, const QRectF& place, Qt::Alignment side,
                  const TokenLabel& label, const QColor& fill, const QColor& text) {
    const double width = std::min(picture.style.width(label), place.width());
    const double height = picture.style.lineHeight();
    QRectF lit(place.left(), place.center().y() - height / 2, width, height);
    if (side == Qt::AlignRight)
        lit.moveRight(place.right());
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(lit.adjusted(-4, 0, 4, 0), 3, 3);
    picture.style.draw(painter, place, side | Qt::AlignVCenter, label, TokenInk::on(fill, text));
}

/// By level and head, strong lines last.
using LineGroups = std::map<std::pair<int, int>, QList<QLineF>>;

LineGroups groupedLines(const LinesPicture& picture, const LinesLayout& layout,
                        const std::vector<AttentionLine>& lines) {
    LineGroups groups;
    for (const AttentionLine& line : lines) {
        const QPointF down(0, picture.shift(line.head, layout.rowHeight()));
        const QLineF drawn(layout.queryEnd(line.query) + down, layout.keyEnd(line.key) + down);
        if (isInSight(drawn, layout.area()))
            groups[{levelOf(line.weight, picture.most), line.head}].push_back(drawn);
    }
    return groups;
}

} // namespace

HeadInk LinesPicture::ink(int head, const Theme& theme) const {
    return heads.size() == 1 ? inkOfOneHead(head, theme) : inkOfHead(head, theme);
}

double LinesPicture::shift(int head, double rowHeight) const {
    constexpr double widest = 3; // between neighbouring heads
    const auto count = static_cast<double>(heads.size());
    const auto place = static_cast<double>(std::ranges::find(heads, head) - heads.begin());
    return (place - (count - 1) / 2) * std::min(widest, 0.7 * rowHeight / count);
}

void drawAttentionLines(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                        const std::vector<AttentionLine>& lines, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(layout.area(), Qt::IntersectClip);
    for (const auto& [group, drawn] : groupedLines(picture, layout, lines)) {
        const auto [level, head] = group;
        painter.setPen(inkOf(picture.ink(head, theme), level).pen(widthOf(level)));
        painter.drawLines(drawn);
    }
    painter.restore();
}

QRect linesArea(const LinesLayout& layout) {
    const QRectF area = layout.area();
    const double left = layout.queryEnd(0).x();
    QRect pixels = QRectF(left, area.top(), layout.keyEnd(0).x() - left, area.height()).toAlignedRect();
    // A multiple of 4, so that it is a whole device pixel also at a pixel ratio of 1.25 or 1.5.
    pixels.setTopLeft({pixels.left() / 4 * 4, pixels.top() / 4 * 4});
    return pixels;
}

QImage attentionLinesImage(double ratio, const LinesPicture& picture, const LinesLayout& layout,
                           const std::vector<AttentionLine>& lines, const Theme& theme) {
    const QRect area = linesArea(layout);
    QImage image(area.size() * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    LineRaster raster(image, layout.area().translated(-area.topLeft()));
    for (const auto& [group, drawn] : groupedLines(picture, layout, lines)) {
        const auto [level, head] = group;
        const HeadInk ink = inkOf(picture.ink(head, theme), level);
        for (const QLineF& line : drawn)
            raster.draw(line.translated(-area.topLeft()), widthOf(level), ink);
    }
    return image;
}

void drawLineLabels(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                    const Theme& theme) {
    const TokenInk ink = TokenInk::onBackground(theme);
    painter.save();
    painter.setClipRect(layout.area().adjusted(-8, 0, 8, 0), Qt::IntersectClip);
    const auto draw = [&](const std::vector<TokenLabel>& labels, auto&& place, Qt::Alignment side) {
        for (int i = 0; i < std::ssize(labels); i += layout.labelEvery())
            if (const QRectF area = place(i); isInSight(area, layout.area()))
                picture.style.draw(painter, area, side | Qt::AlignVCenter, labels[i], ink);
    };
    draw(
        picture.queryLabels, [&](int i) { return layout.queryRect(i); }, Qt::AlignRight);
    draw(
        picture.keyLabels, [&](int i) { return layout.keyRect(i); }, Qt::AlignLeft);
    painter.restore();
}

void drawLinesMarks(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                    const LinesMarks& marks, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(layout.area().adjusted(-8, 0, 8, 0), Qt::IntersectClip);
    const auto label = [](const std::vector<TokenLabel>& labels, int i) { return labels.at(i); };
    if (marks.stepQuery) {
        const int step = *marks.stepQuery;
        drawLitLabel(painter, picture, layout.queryRect(step), Qt::AlignRight,
                     label(picture.queryLabels, step), theme.stepMark, theme.onAccent);
        // Not by colour alone: a pointer marks where the lines of the step begin.
        const QPointF tip = layout.queryEnd(step);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.stepMark);
        painter.drawPolygon(QPolygonF({tip, tip + QPointF(-4, -4), tip + QPointF(-4, 4)}));
    }
    if (marks.query)
        drawLitLabel(painter, picture, layout.queryRect(*marks.query), Qt::AlignRight,
                     label(picture.queryLabels, *marks.query), theme.focus, theme.background);
    if (marks.key)
        drawLitLabel(painter, picture, layout.keyRect(*marks.key), Qt::AlignLeft,
                     label(picture.keyLabels, *marks.key), theme.focus, theme.background);
    painter.restore();
}

double numbersWidth(const LinesPicture& picture, double available) {
    const double one = oneNumberWidth(picture.style.font);
    const double all = one * static_cast<double>(picture.heads.size());
    return 8 + (all <= available ? all : one);
}

void drawLineWeights(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                     const std::vector<AttentionLine>& lines, bool besideKeys, const Theme& theme) {
    const double one = oneNumberWidth(picture.style.font);
    painter.save();
    painter.setFont(picture.style.font);
    painter.setClipRect(layout.area(), Qt::IntersectClip);
    std::map<int, int> drawnAt; // head of the number drawn at a row: the last, strongest one
    const bool eachHead = layout.numbersOfKey(0).width() >= one * static_cast<double>(picture.heads.size());
    for (const AttentionLine& line : lines)
        drawnAt[besideKeys ? line.key : line.query] = line.head;
    for (const AttentionLine& line : lines) {
        const int row = besideKeys ? line.key : line.query;
        if (!eachHead && drawnAt[row] != line.head)
            continue;
        const auto column =
            eachHead ? std::ranges::find(picture.heads, line.head) - picture.heads.begin() : 0;
        const QRectF room = besideKeys ? layout.numbersOfKey(row) : layout.numbersOfQuery(row);
        if (row % layout.labelEvery() != 0 || !isInSight(room, layout.area()))
            continue;
        const double x = besideKeys ? room.left() + 8 + static_cast<double>(column) * one
                                    : room.right() - 8 - static_cast<double>(column + 1) * one;
        painter.setPen(picture.heads.size() == 1 ? theme.text : picture.ink(line.head, theme).colour);
        painter.drawText(QRectF(x, room.top(), one, room.height()), Qt::AlignRight | Qt::AlignVCenter,
                         shortNumber(line.weight));
    }
    painter.restore();
}

} // namespace headscope::widgets
