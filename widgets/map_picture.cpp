#include "widgets/map_picture.h"

#include "widgets/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr std::size_t mostRectangles = 64; ///< a side; more cells than that are drawn as an image

std::vector<double> widths(const std::vector<TokenLabel>& labels, const TokenLabelStyle& style) {
    std::vector<double> all;
    all.reserve(labels.size());
    for (const TokenLabel& label : labels)
        all.push_back(style.width(label));
    return all;
}

bool isOpen(const MapPicture& picture, std::size_t row, std::size_t column) {
    return !picture.mask || (*picture.mask)(row, column) != 0;
}

/// Neighbouring cells are set apart by a hair once they are large enough to spare it.
QRectF inset(QRectF cell) {
    const double hair = std::min(cell.width(), cell.height()) >= 12 ? 1 : 0;
    return cell.adjusted(0, 0, -hair, -hair);
}

void drawRow(QPainter& painter, const MapPicture& picture, const MapLayout& layout, std::size_t row,
             const Theme& theme) {
    for (std::size_t column = 0; column < picture.values.columns();) {
        const auto r = static_cast<int>(row);
        const auto first = static_cast<int>(column);
        if (isOpen(picture, row, column)) {
            if (layout.showsRow(r) || layout.showsColumn(first))
                painter.fillRect(inset(layout.cellRect(r, first)),
                                 QColor(picture.scale.colour(picture.values(row, column))));
            ++column;
            continue;
        }
        // One hatched rectangle for a run of masked cells.
        while (column < picture.values.columns() && !isOpen(picture, row, column))
            ++column;
        const QRectF run = layout.cellRect(r, first) | layout.cellRect(r, static_cast<int>(column) - 1);
        drawHatch(painter, inset(run) & layout.plot(), theme);
    }
}

void drawAsImage(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme) {
    const MatrixPyramid own = picture.pyramid ? MatrixPyramid() : MatrixPyramid(picture.values, picture.mask);
    const MatrixPyramid& pyramid = picture.pyramid ? *picture.pyramid : own;
    // As many pixels as the device really has, so that nothing is smoothed or lost on the way.
    const QSizeF device = painter.deviceTransform().mapRect(layout.plot()).size();
    constexpr double most = 8192;
    const QSize pixels(static_cast<int>(std::clamp(std::round(device.width()), 1.0, most)),
                       static_cast<int>(std::clamp(std::round(device.height()), 1.0, most)));
    const QImage image =
        pyramid.image(layout.window(), pixels, picture.scale, theme.hatch.rgb(), theme.background.rgb());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(layout.plot(), image);
}

void drawColumnLabel(QPainter& painter, const TokenLabel& label, const MapLayout& layout, int column,
                     const TokenLabelStyle& style, const QColor& text, const QColor& faint) {
    const double height = style.lineHeight();
    painter.save();
    painter.translate(layout.columnLabelOrigin(column));
    painter.rotate(-layout.columnLabelAngle());
    const double top = layout.columnLabelAngle() == 0 ? -height : -height / 2;
    style.draw(painter, QRectF(0, top, layout.columnLabelLength(column), height), Qt::AlignLeft, label, text,
               faint);
    painter.restore();
}

void lightLabel(QPainter& painter, const QPolygonF& shape, const QColor& colour) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(shape);
}

/// A frame that stays visible on every colour of the scale: a light and a dark line side by side.
void drawFrame(QPainter& painter, const QRectF& area, const QColor& colour, const Theme& theme,
               double width) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.background, width + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area);
}

void drawStepMark(QPainter& painter, const MapLayout& layout, int row, const Theme& theme) {
    const QRectF band = layout.rowRect(row);
    drawFrame(painter, band.adjusted(0.5, 0, -0.5, -0.5), theme.stepMark, theme, 1);
    const double size = std::clamp(band.height() / 2, 4.0, 6.0);
    const QPointF tip(band.right() + 2, band.center().y());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.stepMark);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(size, -size), tip + QPointF(size, size)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

MapLayoutInput layoutInput(const MapPicture& picture, const TokenLabelStyle& style, const QRectF& area) {
    return {
        .area = area,
        .rows = static_cast<int>(picture.values.rows()),
        .columns = static_cast<int>(picture.values.columns()),
        .rowLabelWidths = widths(picture.rowLabels, style),
        .columnLabelWidths = widths(picture.columnLabels, style),
        .lineHeight = style.lineHeight(),
        .longestLabel = style.lineHeight() * 7,
    };
}

void drawMapCells(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme) {
    if (layout.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(layout.plot(), Qt::IntersectClip);
    if (picture.values.rows() > mostRectangles || picture.values.columns() > mostRectangles)
        drawAsImage(painter, picture, layout, theme);
    else
        for (std::size_t row = 0; row < picture.values.rows(); ++row)
            drawRow(painter, picture, layout, row, theme);
    painter.restore();
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRect(layout.plot().adjusted(-1, -1, 0, 0));
    painter.restore();
}

void drawMapLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const TokenLabelStyle& style, const Theme& theme) {
    for (const int row : layout.labelledRows())
        style.draw(painter, layout.rowLabelRect(row), Qt::AlignRight,
                   picture.rowLabels.at(static_cast<std::size_t>(row)), theme.text, theme.faintText);
    for (const int column : layout.labelledColumns())
        drawColumnLabel(painter, picture.columnLabels.at(static_cast<std::size_t>(column)), layout, column,
                        style, theme.text, theme.faintText);
}

void drawMapMarks(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                  const MapMarks& marks, const TokenLabelStyle& style, const Theme& theme) {
    painter.save();
    if (marks.stepRow && layout.showsRow(*marks.stepRow)) {
        drawStepMark(painter, layout, *marks.stepRow, theme);
        lightLabel(painter, layout.rowLabelRect(*marks.stepRow).adjusted(-2, 0, 2, 0), theme.stepMark);
        style.draw(painter, layout.rowLabelRect(*marks.stepRow), Qt::AlignRight,
                   picture.rowLabels.at(static_cast<std::size_t>(*marks.stepRow)), theme.onAccent,
                   theme.onAccent);
    }
    if (marks.row && layout.showsRow(*marks.row)) {
        drawFrame(painter, layout.rowRect(*marks.row).adjusted(0, 0, -1, -1), theme.focus, theme, 1);
        lightLabel(painter, layout.rowLabelRect(*marks.row).adjusted(-2, 0, 2, 0), theme.focus);
        style.draw(painter, layout.rowLabelRect(*marks.row), Qt::AlignRight,
                   picture.rowLabels.at(static_cast<std::size_t>(*marks.row)), theme.background,
                   theme.background);
    }
    if (marks.column && layout.showsColumn(*marks.column)) {
        drawFrame(painter, layout.columnRect(*marks.column).adjusted(0, 0, -1, -1), theme.focus, theme, 1);
        painter.setRenderHint(QPainter::Antialiasing);
        lightLabel(painter, layout.columnLabelShape(*marks.column), theme.focus);
        painter.setRenderHint(QPainter::Antialiasing, false);
        drawColumnLabel(painter, picture.columnLabels.at(static_cast<std::size_t>(*marks.column)), layout,
                        *marks.column, style, theme.background, theme.background);
    }
    if (marks.row && marks.column && layout.showsRow(*marks.row) && layout.showsColumn(*marks.column))
        drawFrame(painter, layout.cellRect(*marks.row, *marks.column).adjusted(0, 0, -1, -1), theme.focus,
                  theme, 2);
    painter.restore();
}

double colourBarWidth(const ColourScale& scale, const QFont& font) {
    double widest = 0;
    for (const Tick& tick : scale.ticks(6))
        widest = std::max(widest, QFontMetricsF(font).horizontalAdvance(tick.text));
    return 20 + 12 + 5 + widest; // distance to the map, the bar, its tick marks
}

void drawColourBar(QPainter& painter, const QRectF& bar, const ColourScale& scale, const QFont& font,
                   const Theme& theme) {
    if (bar.height() < 16)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    constexpr int bands = 128;
    for (int band = 0; band < bands; ++band) {
        const double top = std::floor(bar.bottom() - bar.height() * (band + 1) / bands);
        const double bottom = std::floor(bar.bottom() - bar.height() * band / bands);
        painter.fillRect(QRectF(bar.left(), top, bar.width(), bottom - top),
                         QColor(scale.colourAt((band + 0.5) / bands)));
    }
    painter.setPen(theme.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-1, -1, 0, 0));
    painter.setFont(font);
    const double line = QFontMetricsF(font).height();
    const int room = std::max(2, static_cast<int>(bar.height() / (line * 1.5)));
    double lastTop = bar.bottom() + line * 2;
    for (const Tick& tick : scale.ticks(std::min(6, room))) {
        const double y = std::round(bar.bottom() - 1 - scale.position(tick.value) * (bar.height() - 1));
        // Powers of ten may stand closer than a line.
        if (lastTop - y < line)
            continue;
        lastTop = y;
        painter.setPen(theme.faintText);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y));
        painter.setPen(theme.text);
        painter.drawText(QRectF(bar.right() + 5, y - line / 2, 80, line), Qt::AlignLeft | Qt::AlignVCenter,
                         tick.text);
    }
    painter.restore();
}

void drawHatch(QPainter& painter, const QRectF& area, const Theme& theme) {
    constexpr double apart = 6;
    painter.fillRect(area, theme.background);
    painter.setPen(QPen(theme.hatch, 1));
    QList<QLineF> lines;
    // Lines x + y = k, cut at the area's edges by hand: clip paths are lost or costly in some formats.
    const double first = std::ceil((area.left() + area.top()) / apart) * apart;
    for (double k = first; k < area.right() + area.bottom(); k += apart) {
        const double left = std::max(area.left(), k - area.bottom());
        const double right = std::min(area.right(), k - area.top());
        if (right > left)
            lines += QLineF(left, k - left, right, k - right);
    }
    painter.drawLines(lines);
}

void drawEmptyState(QPainter& painter, const QRectF& area, const QString& whatItShows,
                    const QString& wayThere, const Theme& theme) {
    painter.save();
    const QRectF words = area.adjusted(area.width() * 0.1, 8, -area.width() * 0.1, -8);
    const int flags = Qt::AlignHCenter | Qt::TextWordWrap;
    const QFontMetricsF metrics(painter.font());
    const double first = metrics.boundingRect(words, flags, whatItShows).height();
    const double second = metrics.boundingRect(words, flags, wayThere).height();
    const double top = std::max(words.top(), words.center().y() - (first + second + 8) / 2);
    painter.setPen(theme.text);
    painter.drawText(QRectF(words.left(), top, words.width(), first + 2), flags, whatItShows);
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(words.left(), top + first + 8, words.width(), second + 2), flags, wayThere);
    painter.restore();
}

} // namespace headscope::widgets
