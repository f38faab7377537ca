#include "widgets/map/map_picture.h"

#include "model/trace/copied_matrix.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/minus_strokes.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct MapPictureWords {
    Q_DECLARE_TR_FUNCTIONS(MapPicture)
};

constexpr std::size_t mostRectangles = 64; ///< per side; maps with more cells are drawn as an image

bool isOpen(const MapPicture& picture, std::size_t row, std::size_t column) {
    return !picture.mask || (*picture.mask)(row, column) != 0;
}

/// Computes the coloured area of a cell. Large cells are separated by a thin line, in all cells or in none,
/// although their rounded sizes differ. Edges are at device pixels, so that all lines are visible if the
/// picture is scaled.
class CellPlaces {
  public:
    CellPlaces(const QPainter& painter, const MapLayout& layout)
        : plot_(layout.plot()), toDevice_(painter.deviceTransform()), toLayout_(toDevice_.inverted()),
          onPixels_(drawsPixels(painter) && toDevice_.type() <= QTransform::TxScale) {
        const QSizeF cell = layout.cellSize();
        const double pixel = onPixels_ ? toLayout_.mapRect(QRectF(0, 0, 1, 1)).width() : 1;
        const double scale = onPixels_ ? std::max(1.0, std::round(1 / pixel)) * pixel : 1;
        hair_ = std::min(cell.width(), cell.height()) >= leastForHair ? scale : 0;
    }

    QRectF of(const QRectF& cell) const {
        QRectF place = cell;
        if (onPixels_) {
            // Corner by corner, so that adjacent cells have exactly equal edges.
            const auto onPixel = [this](QPointF corner) {
                const QPointF there = toDevice_.map(corner);
                return toLayout_.map(QPointF(std::round(there.x()), std::round(there.y())));
            };
            place = QRectF(onPixel(cell.topLeft()), onPixel(cell.bottomRight()));
        }
        // No line between the last cells and the frame.
        return place.adjusted(0, 0, cell.right() < plot_.right() ? -hair_ : 0,
                              cell.bottom() < plot_.bottom() ? -hair_ : 0);
    }

  private:
    static constexpr double leastForHair = 12;

    QRectF plot_;
    QTransform toDevice_;
    QTransform toLayout_;
    bool onPixels_;
    double hair_ = 0;
};

void drawRow(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const CellPlaces& places,
             std::size_t row, const Theme& theme) {
    for (std::size_t column = 0; column < picture.values.columns();) {
        const int r = row;
        const int first = column;
        if (isOpen(picture, row, column)) {
            if (const QRectF cell = layout.cellRect(r, first); cell.intersects(layout.plot()))
                painter.fillRect(places.of(cell), QColor(picture.scale.colour(picture.values(row, column))));
            ++column;
            continue;
        }
        // One hatched rectangle for a run of masked cells.
        while (column < picture.values.columns() && !isOpen(picture, row, column))
            ++column;
        const QRectF run = layout.cellRect(r, first) | layout.cellRect(r, column - 1);
        drawHatch(painter, places.of(run) & layout.plot(), theme);
    }
}

/// On a screen, the number of device pixels, so that the image is not scaled. In a document, a whole number
/// of pixels per cell at twice the resolution, because document viewers smooth images.
QSize imageSize(const QPainter& painter, const MapLayout& layout) {
    constexpr double most = 8192;
    const QSizeF device = painter.deviceTransform().mapRect(layout.plot()).size();
    const bool document = !drawsPixels(painter);
    const auto pixels = [&](double shown, double cells) {
        const double wanted = document ? cells * std::max(1.0, std::ceil(2 * shown / cells)) : shown;
        return static_cast<int>(std::clamp(std::round(wanted), 1.0, most));
    };
    return {pixels(device.width(), layout.window().width()),
            pixels(device.height(), layout.window().height())};
}

/// An image with more pixels than cells is slow to create, so recordings store the cells.
void drawEnlarged(QPainter& painter, const MapPicture& picture, const MapLayout& layout, QSize pixels,
                  const Theme& theme) {
    const trace::Matrix values = trace::copied(picture.values);
    const trace::MaskMatrix mask = picture.mask ? *picture.mask : trace::MaskMatrix();
    drawLater(painter, [=, window = layout.window(), plot = layout.plot(), hatch = theme.hatch.rgb(),
                        ground = theme.background.rgb(), scale = picture.scale,
                        pooling = picture.pooling](QPainter& onto) {
        onto.drawImage(plot, pooledImage(trace::view(values), mask.empty() ? nullptr : &mask, window, pixels,
                                         scale, hatch, ground, pooling));
    });
}

void drawAsImage(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme) {
    const QSize pixels = imageSize(painter, layout);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (isRecorded(painter) && layout.window().width() <= pixels.width() &&
        layout.window().height() <= pixels.height())
        return drawEnlarged(painter, picture, layout, pixels, theme);
    const QRgb hatch = theme.hatch.rgb();
    const QRgb ground = theme.background.rgb();
    painter.drawImage(layout.plot(),
                      picture.pyramid
                          ? picture.pyramid->image(layout.window(), pixels, picture.scale, hatch, ground)
                          : pooledImage(picture.values, picture.mask, layout.window(), pixels, picture.scale,
                                        hatch, ground, picture.pooling));
}

recorded::MapValues cellsOf(const MapPicture& picture, const MapLayout& layout) {
    const auto texts = [](std::span<const TokenLabel> labels) {
        QStringList all;
        for (const auto& label : labels)
            all += label.inWords();
        return all;
    };
    return {.name = {},
            .at = layout.plot(),
            .window = layout.window(),
            .width = picture.values.columns(),
            .values = trace::allowedValues(picture.numbers.empty() ? picture.values : picture.numbers,
                                           picture.mask),
            .rows = texts(picture.rowLabels),
            .columns = texts(picture.columnLabels)};
}

} // namespace

QString sharedPixelsInWords(Pooling pooling, std::size_t rows, std::size_t columns) {
    if (isDrawnAsCells(rows, columns))
        return {};
    return QChar(' ') + (pooling == Pooling::Largest
                             ? MapPictureWords::tr("Largest cell per pixel shown.")
                             : MapPictureWords::tr("Strongest cell per pixel shown."));
}

MapLayoutInput layoutInput(const MapPicture& picture, const TokenLabelStyle& style, const QRectF& area) {
    return {
        .area = area,
        .rows = static_cast<int>(picture.values.rows()),
        .columns = static_cast<int>(picture.values.columns()),
        .rowLabelWidths = style.widths(picture.rowLabels),
        .columnLabelWidths = style.widths(picture.columnLabels),
        .lineHeight = style.lineHeight(),
        .longestLabel = style.lineHeight() * 7,
    };
}

bool isDrawnAsCells(std::size_t rows, std::size_t columns) {
    return rows <= mostRectangles && columns <= mostRectangles;
}

void drawMinusStrokes(QPainter& painter, const MapPicture& picture, const MapLayout& layout) {
    const QSizeF cell = layout.cellSize();
    if (!picture.scale.isDiverging() || std::min(cell.width(), cell.height()) < leastMinusCell)
        return;
    const QRgb zero = picture.scale.colour(0);
    const QRectF seen = layout.window();
    const auto end = [](double edge, std::size_t count) {
        return std::min(static_cast<std::size_t>(std::ceil(std::max(0.0, edge))), count);
    };
    for (auto row = static_cast<std::size_t>(seen.top()); row < end(seen.bottom(), picture.values.rows());
         ++row)
        for (auto column = static_cast<std::size_t>(seen.left());
             column < end(seen.right(), picture.values.columns()); ++column) {
            const double value = picture.values(row, column);
            const bool isOpen = !picture.mask || (*picture.mask)(row, column) != 0;
            const QRgb tone = picture.scale.colour(value);
            if (isOpen && value < 0 && tone != zero)
                drawMinusStroke(painter, layout.cellRect(row, column), QColor(tone));
        }
}

void drawMapCells(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme) {
    if (layout.empty())
        return;
    noteForPage(painter, [&] { return cellsOf(picture, layout); });
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(layout.plot(), Qt::IntersectClip);
    if (isDrawnAsCells(picture.values.rows(), picture.values.columns())) {
        const CellPlaces places(painter, layout);
        for (std::size_t row = 0; row < picture.values.rows(); ++row)
            drawRow(painter, picture, layout, places, row, theme);
    } else {
        drawAsImage(painter, picture, layout, theme);
    }
    if (picture.hasStrokes)
        drawMinusStrokes(painter, picture, layout);
    painter.restore();
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRect(layout.plot().adjusted(-1, -1, 0, 0));
    painter.restore();
}

void drawRowLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int row,
                  const TokenLabelStyle& style, const TokenInk& ink) {
    style.draw(painter, layout.rowLabelRect(row), Qt::AlignRight, picture.rowLabels[row], ink);
}

void drawColumnLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int column,
                     const TokenLabelStyle& style, const TokenInk& ink) {
    const double height = style.lineHeight();
    painter.save();
    painter.translate(layout.columnLabelOrigin(column));
    painter.rotate(-layout.columnLabelAngle());
    const double top = layout.columnLabelAngle() == 0 ? -height : -height / 2;
    style.draw(painter, QRectF(0, top, layout.columnLabelLength(column), height), Qt::AlignLeft,
               picture.columnLabels[column], ink);
    painter.restore();
}

void drawMapLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const TokenLabelStyle& style, const Theme& theme) {
    const TokenInk ink = TokenInk::onBackground(theme);
    if (!picture.rowLabels.empty())
        for (const int row : layout.labelledRows())
            drawRowLabel(painter, picture, layout, row, style, ink);
    for (const int column : layout.labelledColumns())
        drawColumnLabel(painter, picture, layout, column, style, ink);
}

} // namespace headscope::widgets
