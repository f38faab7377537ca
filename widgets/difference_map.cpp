#include "widgets/difference_map.h"

#include "widgets/captions.h"
#include "widgets/colour_bar.h"
#include "widgets/empty_state.h"
#include "widgets/map_keys.h"
#include "widgets/map_marks.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double margin = 8;
constexpr double leastScale = 0.01; ///< smaller differences stay pale: they are next to none

} // namespace

DifferenceMap::DifferenceMap(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Difference of the head's map"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
}

void DifferenceMap::setPicture(MapDifferencePicture picture) {
    shown_ = std::move(picture);
    setCursorCell(std::nullopt);
    describeForReaders(this, isEmpty() ? shown_.whyNot : shown_.caption);
    update();
}

void DifferenceMap::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    update();
}

MapPicture DifferenceMap::picture(const Theme& theme) const {
    return {.values = trace::view(shown_.map.values),
            .mask = &shown_.map.both,
            .scale = ColourScale::diverging(std::max(shown_.map.largest, leastScale), theme.dark),
            .rowLabels = shown_.rowLabels,
            .columnLabels = shown_.columnLabels};
}

double DifferenceMap::captionHeight(double width) const {
    const QRectF room(0, 0, width, 1000);
    return std::ceil(QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, shown_.caption).height());
}

MapLayout DifferenceMap::layOut(const MapPicture& picture, const QRectF& area) const {
    const double words = captionHeight(area.width() - 2 * margin);
    MapLayoutInput input =
        layoutInput(picture, style(), area.adjusted(margin, margin, -margin, -2 * margin - words));
    input.rightMargin = colourBarWidth(picture.scale, font());
    input.oblongCell = 4; // a panel is wide and low
    return MapLayout(input);
}

void DifferenceMap::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const MapPicture shown = picture(theme);
    const MapLayout layout = layOut(shown, area);
    painter.setFont(font());
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, style(), theme);
    drawColourBar(painter, layout.plot(), shown.scale, font(), theme);
    painter.setPen(theme.text);
    painter.drawText(area.adjusted(margin, margin, -margin, -margin), Qt::AlignBottom | Qt::TextWordWrap,
                     shown_.caption);
}

void DifferenceMap::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (isEmpty()) {
        drawEmptyState(painter, QRectF(rect()),
                       tr("Here the selected head's map of one branch is subtracted from the other's."),
                       shown_.whyNot, theme);
        return;
    }
    draw(painter, QRectF(rect()), theme);
    if (cursor_) {
        const MapPicture shown = picture(theme);
        drawMapMarks(painter, shown, layOut(shown, QRectF(rect())),
                     {.row = cursor_->row, .column = cursor_->column}, style(), theme);
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString DifferenceMap::cellInWords(MapCell cell) const {
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    const QString place =
        tr("%1 \u2192 %2").arg(quoted(shown_.rowLabels.at(row)), quoted(shown_.columnLabels.at(column)));
    if (!shown_.map.both(row, column)) {
        const auto& rows = shown_.map.rows[row];
        const auto& columns = shown_.map.columns[column];
        const bool paired = rows.first && rows.second && columns.first && columns.second;
        return paired ? tr("%1: masked in both").arg(place) : tr("%1: in one branch only").arg(place);
    }
    const double change = static_cast<double>(shown_.map.values(row, column));
    return tr("%1: %2%3").arg(place, change > 0 ? QStringLiteral("+") : QString(), numberText(change));
}

void DifferenceMap::setCursorCell(std::optional<MapCell> cell) {
    if (cell == cursor_)
        return;
    cursor_ = cell;
    const QString words = cell ? cellInWords(*cell) : QString();
    describeForReaders(this, words);
    update();
    Q_EMIT cellDescribed(words);
}

bool DifferenceMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto cell = layOut(picture(lightTheme()), QRectF(rect())).cellAt(QPointF(help->pos()));
    if (cell && !isEmpty())
        QToolTip::showText(help->globalPos(), plainToolTip(cellInWords(*cell)), this);
    else
        QToolTip::hideText();
    return true;
}

void DifferenceMap::mouseMoveEvent(QMouseEvent* event) {
    if (!isEmpty())
        setCursorCell(layOut(picture(lightTheme()), QRectF(rect())).cellAt(event->position()));
}

void DifferenceMap::leaveEvent(QEvent*) {
    setCursorCell(std::nullopt);
}

void DifferenceMap::keyPressEvent(QKeyEvent* event) {
    const auto to = movedCell(*event, cursor_.value_or(MapCell{}), static_cast<int>(shown_.map.values.rows()),
                              static_cast<int>(shown_.map.values.columns()));
    if (!to)
        return event->ignore();
    setCursorCell(cursor_ ? *to : MapCell{});
}

void DifferenceMap::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!isEmpty())
        draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

FigureText DifferenceMap::figureText() const {
    if (isEmpty())
        return {};
    return {.title = shown_.title, .caption = shown_.caption, .provenance = shown_.provenance};
}

} // namespace headscope::widgets
