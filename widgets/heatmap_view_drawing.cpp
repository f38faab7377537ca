// What of the map is drawn where.
#include "widgets/heatmap_view.h"

#include "widgets/change_marks.h"
#include "widgets/colour_bar.h"
#include "widgets/empty_state.h"
#include "widgets/map_extras.h"
#include "widgets/theme.h"
#include "widgets/wrapped_words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double margin = 12;

} // namespace

TokenLabelStyle HeatmapView::labelStyle() const {
    return {.font = font(), .spaceMarks = spaceMarks_};
}

MapPicture HeatmapView::picture(const Theme& theme) const {
    MapPicture picture{.values = drawn_->coloured()};
    if (drawn_->shown.empty())
        return {};
    picture.mask = &drawn_->shown.mask;
    picture.pyramid = &drawn_->pyramid;
    picture.scale = drawn_->tones.scale(theme.dark);
    picture.rowLabels = drawn_->shown.rows().labels;
    picture.columnLabels = drawn_->shown.columns().labels;
    return picture;
}

HeatmapView::Frame HeatmapView::frame(const QRectF& area) const {
    const QFontMetricsF metrics(font());
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double line = metrics.height();
    // Whole lines; what is cut is in the tooltip.
    const double third = std::max(1.0, std::floor(inside.height() / 3 / line)) * line;
    const double captionHeight =
        std::min(third, metrics.boundingRect(inside, Qt::TextWordWrap, caption()).height());
    // What large text leaves no room for is in the tooltip, too.
    const double part = inside.height() / (brief_ ? 10 : 6);
    const double hintHeight =
        std::min(std::max(1.0, std::floor(part / line)), 1.0 * hintLines(inside.width())) * line;
    const double clear = hintHeight > 0 ? 4 : 0; // of the caption
    const double top = inside.bottom() - captionHeight;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), line),
            .map = inside.adjusted(0, line + 8, 0, -captionHeight - 12 - hintHeight - clear),
            .hint = QRectF(inside.left(), top - hintHeight - clear, inside.width(), hintHeight),
            .caption = QRectF(inside.left(), top, inside.width(), captionHeight)};
}

/// As many as a hint may need at this width, whatever it says, so that the map does not jump from step to
/// step.
int HeatmapView::hintLines(double width) const {
    const auto lines = [&](int characters) {
        const double length = characters * QFontMetricsF(font()).averageCharWidth();
        return brief_ ? 1 : static_cast<int>(std::ceil(length / std::max(1.0, width)));
    };
    return (hasHintLine_ && isAboutEffect() ? lines(120) : 0) +
           (hasCauseLines() ? lines(150) + lines(80) : 0);
}

QMarginsF HeatmapView::extras(const QRectF& area) const {
    QMarginsF room = extrasRoom(drawn_->shown, barLength(area), font());
    if (showsLosses())
        (drawn_->shown.transposed ? room += QMarginsF(0, 0, 2 * lossesRoom(lossLength(area)), 0)
                                  : room += QMarginsF(0, 0, 0, 2 * lossesRoom(lossLength(area))));
    return room;
}

double HeatmapView::lossLength(const QRectF& area) const {
    return std::clamp(area.height() * 0.07, 16.0, 40.0);
}

double HeatmapView::lossesAway(const QRectF& area) const {
    const QMarginsF others = extrasRoom(drawn_->shown, barLength(area), font());
    return drawn_->shown.transposed ? others.right() : others.bottom();
}

QRectF HeatmapView::lossesArea(const QRectF& area, const MapLayout& layout) const {
    const QRectF plot = layout.plot();
    const double away = lossesAway(area);
    const double room = 2 * lossesRoom(lossLength(area));
    return drawn_->shown.transposed ? QRectF(plot.right() + away, plot.top(), room, plot.height())
                                    : QRectF(plot.left(), plot.bottom() + away, plot.width(), room);
}

/// They follow the step, so they are no part of what is kept.
void HeatmapView::drawStepsLosses(QPainter& painter, const QRectF& area, const MapLayout& layout,
                                  const Theme& theme) const {
    if (!showsLosses())
        return;
    const QString everywhere = tr("everywhere");
    const QString here = tr("this head");
    const QFontMetricsF metrics(font());
    const double widest = std::max(metrics.horizontalAdvance(everywhere), metrics.horizontalAdvance(here));
    const bool before = widest + 2 * margin <= layout.plot().left();
    const auto draw = [&](const std::shared_ptr<const trace::CausalRow>& row, const QString& name,
                          double away) {
        drawLosses(painter, drawn_->shown, layout,
                   {.losses = row ? row->drops : std::vector<double>(),
                    .name = name,
                    .nameBefore = before,
                    .away = away,
                    .length = lossLength(area),
                    .right = area.right()},
                   font(), theme);
    };
    const double away = lossesAway(area);
    draw(cause_.everywhere, everywhere, away);
    draw(cause_.here, here, away + lossesRoom(lossLength(area)));
}

double HeatmapView::barLength(const QRectF& area) const {
    return options_.received ? std::clamp(area.height() * 0.06, 12.0, 36.0) : 0;
}

MapLayout HeatmapView::layOut(const MapPicture& picture, const QRectF& area) const {
    const QMarginsF beside = extras(area);
    MapLayoutInput input =
        layoutInput(picture, labelStyle(), frame(area).map.adjusted(0, 0, 0, -beside.bottom()));
    // Without a bar there is still the mark of the current step, and how much is lost at most.
    const double clear = showsLosses() ? 10 + QFontMetricsF(font()).horizontalAdvance("\u00B10.000") : 10;
    input.rightMargin = (colourBar_ ? colourBarWidth(picture.scale, font()) : clear) + beside.right();
    input.window = window_;
    return MapLayout(input);
}

MapMarks HeatmapView::marks() const {
    const TokenFocus& focus = selection_->focus();
    std::optional<int> step;
    if (drawn_->shown.kind != trace::AttentionKind::EncoderSelf)
        step = drawn_->shown.queryOfRow(selection_->step());
    const auto query = drawn_->shown.queryOf(focus);
    const auto key = drawn_->shown.keyOf(focus);
    return drawn_->shown.transposed ? MapMarks{.stepColumn = step, .row = key, .column = query}
                                    : MapMarks{.stepRow = step, .row = query, .column = key};
}

void HeatmapView::drawChanges(QPainter& painter, const MapLayout& layout, const Theme& theme) const {
    const auto* record = run_->record(head().site);
    if (!record || !isPerHead(options_.quantity))
        return;
    ChangedCells cells = changedCells(run_->request.interventions, head(),
                                      static_cast<int>(record->queries()), static_cast<int>(record->keys()));
    ChangedCells shown;
    for (const MapCell cell : cells.blocked)
        if (const auto there = drawn_->shown.shownCell(cell))
            shown.blocked.push_back(*there);
    for (const int row : cells.forcedRows)
        if (const auto query = drawn_->shown.queryOfRow(row); query && !drawn_->shown.transposed)
            shown.forcedRows.push_back(*query);
    drawChangedCells(painter, layout, shown, theme);
}

void HeatmapView::drawMap(QPainter& painter, const QRectF& area, const MapPicture& picture,
                          const MapLayout& layout, const Theme& theme) const {
    drawMapCells(painter, picture, layout, theme);
    if (options_.numbers)
        drawCellNumbers(painter, drawn_->shown, picture, layout, font());
    drawWeakRows(painter, drawn_->shown, layout, theme);
    drawChanges(painter, layout, theme);
    drawMapLabels(painter, picture, layout, labelStyle(), theme);
    drawTwoSides(painter, drawn_->shown, layout, font(), theme);
    if (options_.received)
        drawReceived(painter, drawn_->shown, picture, layout, barLength(area), font(), theme);
    if (colourBar_)
        drawColourBar(painter, layout.plot().adjusted(0, 0, extras(area).right(), 0), picture.scale, font(),
                      theme);
}

void HeatmapView::drawStill(QPainter& painter, const QRectF& area, const Theme& theme) const {
    painter.fillRect(area, theme.background);
    painter.setFont(font());
    const MapPicture shown = picture(theme);
    if (shown.values.empty()) {
        drawEmptyState(painter, area,
                       tr("Here one attention head is drawn large: which token looked at which."), whyEmpty(),
                       theme);
        return;
    }
    const Frame parts = frame(area);
    const MapLayout layout = layOut(shown, area);
    drawMap(painter, area, shown, layout, theme);
    painter.setPen(theme.faintText);
    painter.drawText(parts.axes, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font()).elidedText(axesInWords() + numbersInWords(layout), Qt::ElideRight,
                                                      parts.axes.width()));
    painter.setPen(theme.text);
    // Below a ribbon, not at the far end of the page.
    const double end = layout.plot().bottom() + extras(area).bottom();
    const double up = std::max(0.0, parts.hint.top() - end - 12);
    painter.drawText(parts.caption.translated(0, -up), Qt::AlignLeft | Qt::TextWordWrap, caption());
}

/// It follows the step and the pointer, so it is no part of what is kept.
void HeatmapView::drawHint(QPainter& painter, const QRectF& area, const MapLayout& layout,
                           const Theme& theme) const {
    const QString words = hint();
    if (words.isEmpty())
        return;
    const QRectF line = frame(area).hint;
    const double end = layout.plot().bottom() + extras(area).bottom();
    const double up = std::max(0.0, line.top() - end - 12);
    painter.setFont(font());
    painter.setPen(theme.faintText);
    drawWrapped(painter, line.translated(0, -up), words);
}

void HeatmapView::drawMoving(QPainter& painter, const Theme& theme) const {
    const MapPicture shown = picture(theme);
    if (!shown.values.empty()) {
        drawMapMarks(painter, shown, layout_, marks(), labelStyle(), theme);
        drawStepsLosses(painter, QRectF(rect()), layout_, theme);
        drawHint(painter, QRectF(rect()), layout_, theme);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
    }
}

/// What was shown before, under its own caption; greyed as soon as the next picture is late.
void HeatmapView::drawLate(QPainter& painter, const Theme& theme) const {
    painter.fillRect(rect(), theme.background);
    painter.setOpacity(late_.isActive() ? 1 : 0.25);
    painter.drawPixmap(0, 0, before_);
    painter.setOpacity(1);
    if (late_.isActive())
        return;
    const QString words = whyEmpty();
    const QRectF text = QFontMetricsF(font()).boundingRect(rect(), Qt::AlignCenter | Qt::TextWordWrap, words);
    painter.fillRect(text.adjusted(-12, -8, 12, 8), theme.panel);
    painter.setPen(theme.text);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, words);
}

void HeatmapView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setFont(font());
    if (!before_.isNull())
        return drawLate(painter, theme);
    if (still_.isNull() || still_.devicePixelRatio() != devicePixelRatioF()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        QPainter kept(&still_);
        drawStill(kept, QRectF(rect()), theme);
    }
    painter.drawPixmap(0, 0, still_);
    drawMoving(painter, theme);
}

void HeatmapView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF page(0, 0, size.width(), size.height());
    drawStill(painter, page, theme);
    if (drawn_->shown.empty())
        return;
    const MapLayout layout = layOut(picture(theme), page);
    drawStepsLosses(painter, page, layout, theme);
    drawHint(painter, page, layout, theme);
}

} // namespace headscope::widgets
