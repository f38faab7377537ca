// What of the map is drawn where.
#include "widgets/views/heatmap/heatmap_view.h"

#include "model/analysis/recomputed_map.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/map_extras.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/words/left_out_words.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/way_to_a_run.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

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

/// They follow the step, so they are no part of what is kept.
void HeatmapView::drawStepsLosses(QPainter& painter, const QRectF& area, const MapLayout& layout,
                                  const Theme& theme) const {
    if (!showsLosses())
        return;
    const bool before = lossNamesWidth() + 2 * margin <= layout.plot().left();
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
    draw(cause_.everywhere, lossesEverywhere(), away);
    draw(cause_.here, lossesHere(), away + lossesRoom(lossLength(area)));
}

MapMarks HeatmapView::marks(const TokenFocus& lit) const {
    std::optional<int> step;
    if (drawn_->shown.kind != trace::AttentionKind::EncoderSelf)
        step = drawn_->shown.queryOfRow(selection_->step());
    const auto query = drawn_->shown.queryOf(lit);
    const auto key = drawn_->shown.keyOf(lit);
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

bool HeatmapView::isQueryDecoded(int query) const {
    return drawn_->shown.kind == trace::AttentionKind::EncoderSelf ||
           isDecoded(drawn_->shown.queries.spans.at(static_cast<std::size_t>(query)).last - 1);
}

Received HeatmapView::received() const {
    return isFilmed() ? receivedSoFar(drawn_->shown, [this](int query) { return isQueryDecoded(query); })
                      : receivedOfAll(drawn_->shown);
}

/// Of a film, only of what is decoded; the cells of the rest are empty.
void HeatmapView::drawNames(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                            const Theme& theme) const {
    if (!isFilmed())
        return drawMapLabels(painter, picture, layout, labelStyle(), theme);
    const ShownMap& shown = drawn_->shown;
    const auto hasQuery = [&](int query) { return isQueryDecoded(query); };
    const auto hasKey = [&](int key) {
        const std::size_t first = shown.keys.spans.at(static_cast<std::size_t>(key)).first;
        return shown.kind == trace::AttentionKind::EncoderSelf || first < shown.sourceColumns ||
               isDecoded(first - shown.sourceColumns);
    };
    const DecodedCells decoded = shown.transposed ? DecodedCells{.hasRow = hasKey, .hasColumn = hasQuery}
                                                  : DecodedCells{.hasRow = hasQuery, .hasColumn = hasKey};
    emptyUndecoded(painter, layout, decoded, theme);
    drawDecodedLabels(painter, picture, layout, decoded, labelStyle(), theme);
}

void HeatmapView::drawMap(QPainter& painter, const QRectF& area, const MapPicture& picture,
                          const MapLayout& layout, const Theme& theme) const {
    MapPicture cells = picture;
    cells.hasStrokes = !options_.numbers || !cellNumbersFit(drawn_->shown, layout, font());
    drawMapCells(painter, cells, layout, theme);
    if (options_.numbers)
        drawCellNumbers(painter, drawn_->shown, picture, layout, font());
    drawWeakRows(painter, drawn_->shown, layout, theme);
    drawChanges(painter, layout, theme);
    drawNames(painter, picture, layout, theme);
    drawTwoSides(painter, drawn_->shown, layout, font(), theme);
    if (options_.received)
        drawReceived(painter, drawn_->shown, received(), picture, layout, barLength(area), font(), theme);
    if (colourBar_)
        drawColourBar(painter, layout.plot().adjusted(0, 0, extras(area).right(), 0), picture.scale, font(),
                      theme);
}

void HeatmapView::drawStill(QPainter& painter, const QRectF& area, const MapPicture& shown,
                            const MapLayout& layout, const Theme& theme, Canvas canvas) const {
    painter.fillRect(area, theme.background);
    painter.setFont(font());
    if (shown.values.empty()) {
        drawEmptyState(painter, area,
                       tr("Here one attention head is drawn large: which token looked at which."), whyEmpty(),
                       theme);
        return;
    }
    const Frame parts = frame(area, canvas);
    drawMap(painter, area, shown, layout, theme);
    painter.setPen(theme.faintText);
    drawWrapped(painter, parts.axes,
                axesInWords() + asNote(numbersInWords(layout, canvas) +
                                       (canvas == Canvas::Page ? namedInWords(layout) : QString())));
    painter.setPen(theme.text);
    // Below a ribbon, not at the far end of the page.
    const double end = layout.plot().bottom() + extras(area).bottom();
    const double up = std::max(0.0, parts.hint.top() - end - 12);
    drawWrapped(painter, parts.caption.translated(0, -up), shownCaption());
}

/// It follows the step and the pointer, so it is no part of what is kept.
void HeatmapView::drawHint(QPainter& painter, const QRectF& area, const MapLayout& layout,
                           const TokenFocus& lit, const Theme& theme, Canvas canvas) const {
    const QString words = asNote(hint(lit));
    if (words.isEmpty())
        return;
    const QRectF line = frame(area, canvas).hint;
    const double end = layout.plot().bottom() + extras(area).bottom();
    const double up = std::max(0.0, line.top() - end - 12);
    painter.setFont(font());
    painter.setPen(theme.faintText);
    drawWrapped(painter, line.translated(0, -up), words);
}

void HeatmapView::drawMoving(QPainter& painter, const QRectF& area, const MapLayout& layout,
                             const TokenFocus& lit, const Theme& theme, Canvas canvas) const {
    const MapPicture shown = picture(theme);
    if (shown.values.empty())
        return;
    if (figureParts().marks)
        drawMapMarks(painter, shown, layout, marks(lit), labelStyle(), theme);
    drawStepsLosses(painter, area, layout, theme);
    drawHint(painter, area, layout, lit, theme, canvas);
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
        drawStill(kept, QRectF(rect()), picture(theme), layout_, theme, Canvas::Window);
    }
    painter.drawPixmap(0, 0, still_);
    drawMoving(painter, QRectF(rect()), layout_, selection_->focus(), theme, Canvas::Window);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
    }
}

/// Marked as on the screen, since the hint speaks of the row that is; of the pointer, which is on its way to
/// a menu, nothing.
void HeatmapView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF page(0, 0, size.width(), size.height());
    const MapPicture shown = picture(theme);
    const MapLayout layout = drawn_->shown.empty() ? MapLayout() : layOut(shown, page, Canvas::Page);
    drawStill(painter, page, shown, layout, theme, Canvas::Page);
    if (!drawn_->shown.empty())
        drawMoving(painter, page, layout, selection_->pinned(), theme, Canvas::Page);
}

void HeatmapView::drawFigureWith(const QString& caption, const QStringList& beside, QPainter& painter,
                                 QSize size, const Theme& theme) {
    onPage_ = PageCaption{.own = caption, .beside = beside};
    drawFigure(painter, size, theme);
    onPage_.reset();
}

QString HeatmapView::whyEmpty() const {
    if (!run_)
        return wayToARun(*this);
    if (isAwaited())
        return run_->complete ? tr("Computing %1...").arg(quantityName(options_.quantity))
                              : tr("It is computed once decoding has come to its end.");
    if (!run_->record(head().site) || head().head >= run_->model->heads(head().site.kind))
        return whyNoHead(*run_, head());
    if (isLeftOut(*run_, head(), options_) && whyNoMaps_.isEmpty())
        return whyLeftOut(*run_, head().site);
    if (computedFor(options_.quantity) || isLeftOut(*run_, head(), options_))
        return whyNoMaps_;
    if (isScore(options_.quantity) && analysis::lacksScores(*run_->record(head().site)))
        return whyNoScores();
    return tr("No row of this head has been computed yet: step forward, or decode to the end.");
}

} // namespace headscope::widgets
