#include "widgets/views/scale/soft_map_picture.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/named_labels.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct SoftMapPictureWords {
    Q_DECLARE_TR_FUNCTIONS(SoftMapPicture)
};

constexpr double softMapGap = 8;

/// Wide enough for the title.
double stripWidth(const QFont& font) {
    return std::max(48.0, QFontMetricsF(font).horizontalAdvance(SoftMapPictureWords::tr("bits")) + 8);
}

} // namespace

MapPicture SoftMapPicture::picture(const Theme& theme) const {
    return {.values = trace::view(map_.weights),
            .mask = &map_.open,
            .scale = ColourScale::sequential(0, 1, ColourMapping::Linear, theme.dark),
            .rowLabels = map_.queries,
            .columnLabels = map_.keys};
}

MapLayout SoftMapPicture::layOut(const QRectF& area, const QFont& font) const {
    const MapPicture shown = picture(lightTheme());
    MapLayoutInput input = layoutInput(shown, {.font = font, .spaceMarks = map_.spaceMarks}, area);
    input.longestLabel = std::min(input.longestLabel, area.width() * 0.28);
    input.rightMargin = colourBarWidth(shown.scale, font) + stripWidth(font) + 2 * softMapGap;
    return MapLayout(input);
}

QRectF SoftMapPicture::strip(const QRectF& area, const MapLayout& layout, const QFont& font) const {
    const double left =
        layout.plot().right() + colourBarWidth(picture(lightTheme()).scale, font) + softMapGap;
    return {left, layout.plot().top(), std::min(stripWidth(font), area.right() - left),
            layout.plot().height()};
}

QString SoftMapPicture::namedInWords(const QRectF& area, const QFont& font) const {
    return widgets::namedInWords(layOut(area, font));
}

double SoftMapPicture::mostBits() const {
    return std::max(1.0, std::log2(static_cast<double>(std::max<std::size_t>(1, map_.weights.columns()))));
}

void SoftMapPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                          const Theme& theme) const {
    const MapPicture shown = picture(theme);
    const MapLayout layout = layOut(area, font);
    if (layout.empty())
        return;
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, {.font = font, .spaceMarks = map_.spaceMarks}, theme);
    drawColourBar(painter, layout.plot(), shown.scale, font, theme);
    const QRectF beside = strip(area, layout, font);
    for (int row = 0; row < rows(); ++row)
        painter.fillRect(entropyBar(row, layout, beside), categoryColours(theme)[0]);
    painter.fillRect(QRectF(beside.left() - 1, beside.top(), 1, beside.height()), theme.faintText);
    painter.setFont(font);
    painter.setPen(theme.faintText);
    const double line = QFontMetricsF(font).height();
    painter.drawText(QRectF(beside.left(), beside.top() - line - 2, beside.width() + 8, line), Qt::AlignLeft,
                     SoftMapPictureWords::tr("bits"));
    if (layout.showsRow(map_.row)) {
        painter.setPen(QPen(theme.stepMark, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(layout.rowRect(map_.row));
    }
}

QRectF SoftMapPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const MapLayout layout = layOut(area, font);
    if (layout.empty())
        return {};
    if (!isEntropy(mark))
        return layout.cellRect(mark.row, mark.column);
    return entropyBar(mark.row, layout, strip(area, layout, font));
}

QRectF SoftMapPicture::entropyBar(int row, const MapLayout& layout, const QRectF& beside) const {
    const QRectF across = layout.rowRect(row);
    const double pad = across.height() > 6 ? 1 : 0;
    const double bits = map_.entropies[row].value_or(0);
    return {beside.left(), across.top() + pad, beside.width() * bits / mostBits(), across.height() - 2 * pad};
}

std::optional<MapCell> SoftMapPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const MapLayout layout = layOut(area, font);
    if (layout.empty())
        return std::nullopt;
    if (const auto cell = layout.cellAt(point))
        return cell;
    const QRectF beside = strip(area, layout, font);
    if (!beside.contains(point))
        return std::nullopt;
    const int row = static_cast<int>(std::floor(layout.toCells(point).y()));
    return layout.showsRow(row) ? std::optional(MapCell{row, columns() - 1}) : std::nullopt;
}

QString SoftMapPicture::inWords(MapCell mark) const {
    const std::size_t row = mark.row;
    if (isEntropy(mark))
        return map_.entropies[row]
                   ? SoftMapPictureWords::tr("Row %1: entropy %2 bits")
                         .arg(rowName(mark.row), numberText(*map_.entropies[row]))
                   : SoftMapPictureWords::tr("Row %1: no entropy (padding, or fewer than two allowed keys)")
                         .arg(rowName(mark.row));
    const std::size_t key = mark.column;
    const QString weight =
        map_.open(row, key) ? numberText(map_.weights(row, key)) : SoftMapPictureWords::tr("masked");
    return SoftMapPictureWords::tr("%1 → %2: %3").arg(rowName(mark.row), quoted(map_.keys[key]), weight);
}

QString SoftMapPicture::rowName(int row) const {
    return quoted(map_.queries[row]);
}

QString SoftMapPicture::columnName(int column) const {
    return column + 1 == columns() ? SoftMapPictureWords::tr("entropy, bits") : quoted(map_.keys[column]);
}

} // namespace headscope::widgets
