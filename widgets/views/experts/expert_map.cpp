#include "widgets/views/experts/expert_map.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/map/map_marks.h"
#include "widgets/words/card_words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr double barsGap = 12;
constexpr double linesOfBars = 4; // of text
constexpr double widestCell = 96; // a few experts fill no more

// Beside the numbers of the columns, and beside the bars.
QString whatColumnsAre() {
    return ExpertMap::tr("expert");
}
QString whatBarsAre() {
    return ExpertMap::tr("load");
}

} // namespace

ExpertMap::ExpertMap(QWidget* parent) : MapView(tr("Experts"), nullptr, parent) {
    setMinimumSize(160, 120);
    setProperty(zoomsByKey, true);
}

void ExpertMap::setContent(Content content) {
    const bool isOfSameShape = content.values.rows() == content_.values.rows() &&
                               content.values.columns() == content_.values.columns();
    content_ = std::move(content);
    pyramid_ = isEmpty() ? MatrixPyramid() : MatrixPyramid(trace::view(content_.values), nullptr);
    columns_.assign(content_.values.columns(), {});
    for (std::size_t expert = 0; expert < columns_.size(); ++expert)
        columns_[expert].text = QString::number(expert);
    if (!isOfSameShape)
        window_ = {};
    pictureChanged();
    if (!isOfSameShape)
        selection_->setCursor({});
}

MapPicture ExpertMap::picture(const Theme& theme) const {
    return {.values = trace::view(content_.values),
            .pyramid = &pyramid_,
            .scale = ColourScale::sequential(0, content_.limit, ColourMapping::Linear, theme.dark),
            .rowLabels = content_.rows,
            .columnLabels = columns_};
}

double ExpertMap::barsHeight() const {
    return content_.load.empty() ? 0 : barsGap + linesOfBars * labelStyle().lineHeight();
}

MapLayout ExpertMap::layOut(const QRectF& area) const {
    const MapPicture shown = picture(lightTheme());
    MapLayoutInput input = layoutInput(shown, labelStyle(), area.adjusted(10, 4, -4, -4 - barsHeight()));
    const QFontMetricsF metrics(font());
    if (!input.rowLabelWidths.empty())
        for (const QString& words : {whatColumnsAre(), whatBarsAre()})
            input.rowLabelWidths.front() =
                std::max(input.rowLabelWidths.front(), metrics.horizontalAdvance(words));
    input.rightMargin = colourBarWidth(shown.scale, font());
    input.window = window_;
    input.largestCell = widestCell;
    input.oblongCell = 12; // there are many tokens, and few experts
    return MapLayout(input);
}

QRectF ExpertMap::barsArea(const MapLayout& layout) const {
    const QRectF& plot = layout.plot();
    return {plot.left(), plot.bottom() + barsGap, plot.width(), barsHeight() - barsGap};
}

void ExpertMap::pictureChanged() {
    layout_ = layOut(QRectF(rect()));
    MapView::pictureChanged();
}

QSizeF ExpertMap::sizeFor(double width) const {
    constexpr double lowRow = 18;
    const double rows = std::clamp<double>(content_.values.rows(), 1, 64);
    return {width, rows * lowRow + 6 * labelStyle().lineHeight() + barsHeight()};
}

QString ExpertMap::columnName(int column) const {
    return tr("expert %1").arg(column);
}

QString ExpertMap::cellInWords(MapCell cell) const {
    return content_.cell ? content_.cell(cell) : QString();
}

void ExpertMap::draw(QPainter& painter, const QRectF& area, const Theme& theme, bool withMarks) const {
    painter.setFont(font());
    const auto layout = layOut(area);
    drawMap(painter, layout, theme);
    if (withMarks && content_.step && !layout.empty())
        drawMapMarks(painter, picture(theme), layout, {.stepRow = content_.step}, labelStyle(), theme);
}

void ExpertMap::drawMap(QPainter& painter, const MapLayout& layout, const Theme& theme) const {
    if (layout.empty())
        return;
    const MapPicture shown = picture(theme);
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, labelStyle(), theme);
    drawColourBar(painter, layout.plot(), shown.scale, font(), theme);
    const QRectF& plot = layout.plot();
    painter.setPen(theme.faintText);
    const double line = labelStyle().lineHeight();
    painter.drawText(QRectF(plot.left() - 200, plot.top() - line - 4, 194, line),
                     Qt::AlignRight | Qt::AlignVCenter, whatColumnsAre());
    if (!content_.load.empty())
        drawBars(painter, layout, theme);
}

/// Bars of the experts in sight before a line where all would end if they were used alike, and numbers where
/// there is room.
void ExpertMap::drawBars(QPainter& painter, const MapLayout& layout, const Theme& theme) const {
    const double line = labelStyle().lineHeight();
    const QRectF area = barsArea(layout);
    const QRectF bars = area.adjusted(0, line, 0, 0);
    const double most = std::max(*std::ranges::max_element(content_.load), content_.even);
    const auto height = [&](double load) { return most > 0 ? load / most * bars.height() : 0; };
    painter.save();
    painter.setFont(font());
    const double even = bars.bottom() - height(content_.even);
    painter.setPen(QPen(theme.faintText, 1, Qt::DashLine));
    painter.drawLine(QPointF(bars.left(), even), QPointF(bars.right(), even));
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(area.left() - 200, bars.center().y() - line / 2, 194, line),
                     Qt::AlignRight | Qt::AlignVCenter, whatBarsAre());
    painter.drawText(QRectF(area.right() + 4, even - line / 2, 100, line), Qt::AlignLeft | Qt::AlignVCenter,
                     shareText(content_.even));
    const QFontMetricsF metrics(font());
    double widest = 0; // numbers are left out together
    for (const double load : content_.load)
        widest = std::max(widest, metrics.horizontalAdvance(shareText(load)) + 4);
    for (int expert = 0; expert < columnCount(); ++expert) {
        if (!layout.showsColumn(expert))
            continue;
        const QRectF column = layout.columnRect(expert);
        const double inset = std::min(4.0, column.width() / 6);
        const double high = height(content_.load[expert]);
        painter.fillRect(QRectF(column.left() + inset, bars.bottom() - high,
                                std::max(1.0, column.width() - 2 * inset), high),
                         theme.accent);
        if (widest > column.width())
            continue;
        const QString number = shareText(content_.load[expert]);
        const double wide = metrics.horizontalAdvance(number) + 4;
        const QRectF place(column.center().x() - wide / 2, bars.bottom() - high - line, wide, line);
        painter.fillRect(place, theme.background); // over the line
        painter.setPen(theme.text);
        painter.drawText(place, Qt::AlignCenter, number);
    }
    painter.setPen(QPen(theme.outline, 1));
    painter.drawLine(bars.bottomLeft(), bars.bottomRight());
    painter.restore();
}

void ExpertMap::paintStill(QPainter& painter, const Theme& theme) const {
    drawMap(painter, layout_, theme);
}

void ExpertMap::paintMoving(QPainter& painter, const Theme& theme) const {
    if (isEmpty())
        return;
    const auto cursor = cursorCell();
    MapMarks marks{.stepRow = content_.step};
    if (cursor) {
        marks.row = cursor->row;
        marks.column = cursor->column;
    }
    drawMapMarks(painter, picture(theme), layout_, marks, labelStyle(), theme);
}

TokenFocus ExpertMap::focusAt(QPointF position) const {
    const auto cell = layout_.cellAt(position);
    return cell ? focusOf(*cell) : TokenFocus();
}

MapView::Words ExpertMap::wordsAt(QPointF position) const {
    if (const auto cell = layout_.cellAt(position))
        return {cellInWords(*cell), cellArea(*cell)};
    if (isEmpty() || !content_.ofExpert)
        return {};
    const QPointF above(position.x(), layout_.plot().top());
    const auto cell = barsArea(layout_).contains(position) ? layout_.cellAt(above) : std::nullopt;
    const auto expert = cell ? std::optional(cell->column) : layout_.columnLabelAt(position);
    return expert ? Words{content_.ofExpert(*expert), {}} : Words();
}

} // namespace headscope::widgets
