#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/maps/weights_and_effect.h"
#include "model/analysis/maps/why_masked.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/map_extras.h"
#include "widgets/map/map_options.h"
#include "widgets/map/mask_words.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/words/class_title.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/not_stored_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

using trace::AttentionKind;

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

/// Losses depend on the step, so they are not cached.
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
    ChangedCells cells = changedCells(run_->request.interventions, head(), record->queries(), record->keys());
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
           isDecoded(drawn_->shown.queries.spans.at(query).last - 1);
}

Received HeatmapView::received() const {
    return isAnimated() ? receivedSoFar(drawn_->shown, [this](int query) { return isQueryDecoded(query); })
                        : receivedOfAll(drawn_->shown);
}

/// In an animation only decoded rows and columns have labels and cells.
void HeatmapView::drawNames(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                            const Theme& theme) const {
    if (!isAnimated())
        return drawMapLabels(painter, picture, layout, labelStyle(), theme);
    const ShownMap& shown = drawn_->shown;
    const auto hasQuery = [&](int query) { return isQueryDecoded(query); };
    const auto hasKey = [&](int key) {
        const std::size_t first = shown.keys.spans.at(key).first;
        return shown.kind == trace::AttentionKind::EncoderSelf || first < shown.sourceColumns ||
               isDecoded(first - shown.sourceColumns);
    };
    const DecodedCells decoded = shown.transposed ? DecodedCells{.hasRow = hasKey, .hasColumn = hasQuery}
                                                  : DecodedCells{.hasRow = hasQuery, .hasColumn = hasKey};
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
    painter.setFont(font());
    if (shown.values.empty()) {
        drawEmptyState(painter, area, tr("Shows one attention head: which token attends to which."),
                       whyEmpty(), theme);
        return;
    }
    const Frame parts = frame(area, canvas);
    drawMap(painter, area, shown, layout, theme);
    painter.setPen(theme.faintText);
    drawWrapped(painter, parts.axes,
                axesInWords() + asNote(numbersInWords(layout, canvas) +
                                       (canvas == Canvas::Page ? namedInWords(layout) : QString())));
    painter.setPen(theme.text);
    // Directly below the map, not at the end of the page.
    const double end = layout.plot().bottom() + extras(area).bottom();
    const double up = std::max(0.0, parts.hint.top() - end - 12);
    drawWrapped(painter, parts.caption.translated(0, -up), shownCaption());
}

/// The hint depends on the step and the focus, so it is not cached.
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

/// The previous picture with its own caption; greyed if the next one takes long.
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

void HeatmapView::paintStill(QPainter& painter, const Theme& theme) const {
    drawStill(painter, QRectF(rect()), picture(theme), layout_, theme, Canvas::Window);
}

void HeatmapView::paintMoving(QPainter& painter, const Theme& theme) const {
    drawMoving(painter, QRectF(rect()), layout_, selection_->focus(), theme, Canvas::Window);
}

void HeatmapView::paintEvent(QPaintEvent* event) {
    if (before_.isNull())
        return MapView::paintEvent(event);
    QPainter painter(this);
    drawLate(painter, themeOf(palette()));
}

/// Has the marks of the screen, because the hint describes the marked row, but not those of the pointer,
/// which is on its way to a menu.
void HeatmapView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF page(0, 0, size.width(), size.height());
    painter.fillRect(page, theme.background);
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
        return hintForNoRun(*this);
    if (isAwaited())
        return run_->complete ? tr("Computing %1...").arg(quantityName(options_.quantity))
                              : tr("Computed when decoding is complete.");
    if (!run_->record(head().site) || head().head >= run_->model->heads(head().site.kind))
        return whyNoHead(*run_, head());
    if (isRecomputed(*run_, head(), options_) && whyNoMaps_.isEmpty())
        return whyNotStored(*run_, head().site);
    if (computedFor(options_.quantity) || isRecomputed(*run_, head(), options_))
        return whyNoMaps_;
    if (isScore(options_.quantity) && analysis::lacksScores(*run_->record(head().site)))
        return whyNoScores();
    return tr("No row of this head has been computed yet: step forward, or decode to the end.");
}

QString HeatmapView::queryName(int query) const {
    return queryInWords(*run_, drawn_->shown, query);
}

QString HeatmapView::keyName(int key) const {
    return keyInWords(drawn_->shown, key);
}

QString HeatmapView::rowName(int row) const {
    return drawn_->shown.transposed ? keyName(row) : queryName(row);
}

QString HeatmapView::columnName(int column) const {
    return drawn_->shown.transposed ? queryName(column) : keyName(column);
}

QString HeatmapView::cellInWords(MapCell cell) const {
    if (cell.row < 0 || cell.column < 0 || cell.row >= rowCount() || cell.column >= columnCount())
        return {};
    const int query = drawn_->shown.transposed ? cell.column : cell.row;
    const int key = drawn_->shown.transposed ? cell.row : cell.column;
    const std::size_t row = cell.row;
    const std::size_t column = cell.column;
    bool anyOpen = false;
    for (std::size_t k = 0; k < drawn_->shown.keys.spans.size(); ++k)
        anyOpen = anyOpen ||
                  (drawn_->shown.transposed ? drawn_->shown.mask(k, column) : drawn_->shown.mask(row, k));
    const QString amount = !anyOpen && drawn_->shown.undefinedRows > 0 ? tr("undefined in this row")
                           : !anyOpen                                  ? tr("masked (the whole row)")
                           : drawn_->shown.mask(row, column) == 0
                               ? tr("masked")
                               : numberText(drawn_->shown.values(row, column));
    const QString where = QString::fromStdString(isPerHead(options_.quantity) ? trace::toString(head())
                                                                              : trace::toString(head().site));
    const QString words =
        QStringLiteral("%1 [%2 \u2192 %3] %4").arg(where, queryName(query), keyName(key), amount);
    const bool isOfStep = drawn_->shown.queryOfRow(selection_->step()) == query;
    const QString loss = isOfStep ? lossOf(key) : QString();
    return loss.isEmpty() ? words : words + QStringLiteral(". ") + loss;
}

/// Rank of a cell among the allowed cells of its row, or why it is masked.
QString HeatmapView::standingInWords(MapCell cell) const {
    const ShownMap& shown = drawn_->shown;
    const auto at = [&](int key) {
        return shown.transposed ? MapCell{key, cell.column} : MapCell{cell.row, key};
    };
    const auto isOpen = [&](MapCell one) { return shown.mask(one.row, one.column) != 0; };
    const auto valueOf = [&](MapCell one) { return shown.values(one.row, one.column); };
    if (!isOpen(cell)) {
        const auto own = shown.runCell(cell);
        const auto why = own ? analysis::whyClosed(*run_, head(), own->row, own->column) : std::nullopt;
        return why ? tr("%1.").arg(closedInWords(*why)) : QString();
    }
    int open = 0, larger = 0;
    for (int key = 0; key < (shown.transposed ? rowCount() : columnCount()); ++key)
        if (isOpen(at(key))) {
            ++open;
            larger += valueOf(at(key)) > valueOf(cell);
        }
    if (!std::isfinite(valueOf(cell)) || open < 2)
        return {};
    return larger == 0 ? tr("The largest of %1 in its row.").arg(open)
                       : tr("Rank %1 of %2 in its row.").arg(larger + 1).arg(open);
}

QString HeatmapView::tooltip(MapCell cell) const {
    const QString standing = standingInWords(cell);
    const QString words = cellInWords(cell) + QChar('\n') +
                          (standing.isEmpty() ? standing : standing + QChar('\n')) +
                          tr("Row %1, column %2 of the map. Layers, heads, rows and columns count from 0.")
                              .arg(cell.row)
                              .arg(cell.column);
    return words;
}

QString HeatmapView::keyTooltip(int key) const {
    const QString sum = numberText(drawn_->shown.received.at(key));
    QString words = exactly(drawn_->shown.keys.labels.at(key));
    if (!isScore(options_.quantity))
        words += QChar('\n') + tr("Column total: %1.").arg(sum);
    const QString loss = lossOf(key);
    return loss.isEmpty() ? words : words + QChar('\n') + loss;
}

MapUnit HeatmapView::unit() const {
    return options_.words && !isScore(options_.quantity) && !isPreview() ? MapUnit::Word : MapUnit::Piece;
}

QString HeatmapView::gradientInWords() const {
    if (options_.quantity != Quantity::GradientAttention || !maps_ || !maps_->token)
        return {};
    const QString which = run_->target.empty() ? tr("The logit is that of class \u201C%1\u201D")
                                                     .arg(isolated(classTitle(*run_->model, maps_->step)))
                                               : tr("The logit is that of %1 in step %2")
                                                     .arg(quoted(tokenLabel(*maps_->token)))
                                                     .arg(maps_->step + 1);
    return (maps_->contrast ? tr("%1, minus that of %2.").arg(which, quoted(tokenLabel(*maps_->contrast)))
                            : tr("%1.").arg(which));
}

/// " compared with “Katze”", of the token that knock-out losses are measured against.
QString HeatmapView::lossContrast() const {
    const auto& contrast = cause_.everywhere ? cause_.everywhere->contrast : std::optional<trace::Token>();
    return contrast ? tr(" compared with %1").arg(quoted(tokenLabel(*contrast))) : QString();
}

/// What the view hides, groups or adds.
QStringList HeatmapView::viewInWords() const {
    QStringList words;
    if (drawn_->shown.transposed)
        words += tr("The map is transposed: statements about rows apply to its columns, and vice versa.");
    if (options_.withoutSpecial)
        words += sumsToOne(options_.quantity) ? tr("Special keys hidden, the rest renormalised.")
                                              : tr("Special keys hidden.");
    if (!drawn_->shown.weak.empty())
        words += tr("%1 of the rows (dashed) had less than 0.05 left: magnified noise.")
                     .arg(drawn_->shown.weak.size());
    const bool isOfLengths =
        options_.quantity == Quantity::NormWeighted || options_.quantity == Quantity::NormShares;
    if (unit() == MapUnit::Word)
        words += isOfLengths
                     ? tr("Words: the norms of a key word's tokens are added up, although the norm of their "
                          "sum may be smaller; mean over the tokens of a query word.")
                     : tr("Words: sum over the tokens of a key word, mean over those of a query word.");
    else if (options_.words)
        words += tr("Scores are shown per token: they have no values per word.");
    const bool isRollout = drawn_->shown.divider && options_.quantity == Quantity::Rollout;
    if (isRollout && head().site == trace::AttentionSite{AttentionKind::DecoderSelf, 0})
        words += tr("The source is not read before the first cross-attention: its side is empty.");
    else if (isRollout)
        words += tr("Each side sums to 1: the share of the source follows from the number of layers and is "
                    "no finding.");
    if (drawn_->shown.undefinedRows > 0)
        words += tr("%1 of the rows (hatched) are undefined: determined by biases alone.")
                     .arg(drawn_->shown.undefinedRows);
    if (options_.numbers)
        words += tr("Numbers in cells are rounded: 0 means exactly 0; < or > marks values that rounding "
                    "would turn into 0.");
    if (options_.received) {
        const QString longest = numberText(received().longest);
        const bool grow = isAnimated() && drawn_->shown.kind != AttentionKind::EncoderSelf;
        words += grow ? tr("Bars: column totals over the rows decoded so far, at most %1.").arg(longest)
                      : tr("Bars: column totals, at most %1.").arg(longest);
    }
    if (options_.losses && drawn_->shown.kind != AttentionKind::Cross)
        words +=
            brief_
                ? tr("No knock-out losses: they exist for source tokens, which only cross-attention reads.")
                : tr("No knock-out losses for this map: they are measured for source tokens in "
                     "cross-attention and shown with its maps.");
    else if (showsLosses() && brief_)
        words += tr("Bars: knock-out loss per source token.");
    else if (showsLosses())
        words +=
            (drawn_->shown.transposed
                 ? tr("Bars around lines: change in the log-probability of the current step's token%1 "
                      "without each source token, masked in all cross-attention (left) and in this "
                      "head's cell only (right); bars to the left are losses, bars to the right gains, "
                      "each scaled to its largest, none below 0.0005.")
                 : tr("Bars around lines: change in the log-probability of the current step's token%1 "
                      "without each source token, masked in all cross-attention (above) and in this "
                      "head's cell only (below); bars up are losses, bars down gains, each scaled to its "
                      "largest, none below 0.0005."))
                .arg(lossContrast());
    return words;
}

QString HeatmapView::zoomForNumbers() const {
    return options_.numbers ? QChar(' ') + tr("Zoom in to see the numbers.") : QString();
}

/// On a page, zooming is not suggested.
QString HeatmapView::numbersInWords(const MapLayout& layout, Canvas canvas) const {
    if (!options_.numbers || cellNumbersFit(drawn_->shown, layout, font()))
        return {};
    return canvas == Canvas::Page ? QChar(' ') + tr("Cells are too small for numbers.") : zoomForNumbers();
}

QStringList HeatmapView::captionParts() const {
    if (drawn_->shown.empty())
        return {};
    QStringList parts{brief_ ? options_.quantity == Quantity::Weights ? weightsInWords(*run_)
                                                                      : quantityInWords(options_.quantity)
                             : headCaption(*run_, head(), options_.quantity, unit())};
    if (isPreview())
        parts += tr("Preview of a long map: one row in %1, and the largest weight of %1 neighbouring keys. "
                    "The whole map follows.")
                     .arg(long_->tokensACell);
    parts += gradientInWords();
    parts += viewInWords();
    parts += tonesInWords(options_, drawn_->tones);
    if (!brief_ && !isPreview())
        parts += sharedPixelsInWords(poolingOf(options_.quantity), drawn_->shown.values.rows(),
                                     drawn_->shown.values.columns())
                     .trimmed();
    if (isPerHead(options_.quantity))
        parts += markInWords(headMark(run_->request.interventions, head())).trimmed();
    parts.removeAll(QString());
    return parts;
}

QString HeatmapView::caption() const {
    return captionParts().join(' ');
}

QString HeatmapView::axesInWords() const {
    if (!run_)
        return {};
    const QString queries = queryAxisTitle(*run_, drawn_->shown.kind, unit());
    const QString keys = drawn_->shown.divider ? tr("source, then target so far")
                                               : keyAxisTitle(*run_, drawn_->shown.kind, unit());
    return drawn_->shown.transposed ? tr("Rows: %1. Columns: %2.").arg(keys, queries)
                                    : tr("Rows: %1. Columns: %2.").arg(queries, keys);
}

/// The hint describes a row of the model; the map may have fewer rows.
QString HeatmapView::rowInHint(std::size_t row) const {
    const auto& tokens =
        head().site.kind == trace::AttentionKind::Cross ? run_->next : run_->queryTokens(head().site.kind);
    const QString token = row < tokens.size() ? quoted(tokenLabel(tokens, row)) : QString::number(row);
    return drawn_->shown.queries.spans.size() != run_->record(head().site)->queries()
               ? tr("Single token %1").arg(token)
               : tr("Row %1").arg(token);
}

/// The hint counts all keys of the model; the map may have fewer.
QString HeatmapView::tokensInHint() const {
    const auto* record = run_->record(head().site);
    const std::size_t drawn = drawn_->shown.keys.spans.size();
    const std::size_t keys = record ? record->keys() : drawn;
    if (drawn == keys)
        return {};
    return drawn_->shown.transposed
               ? tr("Single tokens are compared: %1, in %2 rows of the map.").arg(keys).arg(drawn)
               : tr("Single tokens are compared: %1, in %2 columns of the map.").arg(keys).arg(drawn);
}

/// For the focused row, else for that of the current step.
QString HeatmapView::effectHint(const TokenFocus& lit) const {
    if (!comparesEffect())
        return {};
    const auto* record = run_->record(head().site);
    auto row = lit.query(drawn_->shown.kind);
    if (!row && drawn_->shown.kind != AttentionKind::EncoderSelf)
        row = selection_->step();
    const auto h = head().head;
    if (!record || !row || *row >= record->queries() || h >= effect_->values.heads() ||
        effect_->values.rows() != record->queries() || effect_->values.columns() != record->keys())
        return {};
    const std::size_t r = *row;
    const auto ofHead = analysis::headRow(*record, h, r);
    const auto compared =
        analysis::compareWithEffect(ofHead.weights, effect_->values.head(h).row(r), ofHead.open);
    return compared ? effectInWords(*run_, drawn_->shown.kind, rowInHint(r), *compared) : QString();
}

/// For the current step, whatever row is focused: other steps are not measured.
QString HeatmapView::causeHint() const {
    if (!run_ || !hasCauseLines())
        return {};
    const QString words = causeInWords(*run_, head(), selection_->step(), cause_);
    return words.isEmpty() || cause_.progress.isEmpty() ? words : words + ' ' + cause_.progress;
}

QString HeatmapView::hint(const TokenFocus& lit) const {
    if (run_ && isAboutEffect(options_.quantity) && !drawn_->shown.empty() &&
        headMark(run_->request.interventions, head()) == HeadMark::Off)
        return tr("The head is switched off, so it has no contributions to compare.");
    QStringList lines;
    for (const QString& line : {effectHint(lit), causeHint()})
        if (!line.isEmpty())
            lines += line;
    if (lines.isEmpty())
        return {};
    const QString tokens = tokensInHint();
    return lines.join('\n') + (tokens.isEmpty() ? QString() : ' ' + tokens);
}

/// Loss without a key, token by token.
QString HeatmapView::lossOf(int key) const {
    if (!showsLosses())
        return {};
    const auto& span = drawn_->shown.keys.spans.at(key);
    QStringList lines;
    for (std::size_t token = span.first; token < span.last; ++token) {
        const QString loss = lossInWords(cause_, token);
        if (loss.isEmpty())
            continue;
        lines += span.last - span.first > 1
                     ? tr("%1: %2").arg(keyInWords(*run_, drawn_->shown.kind, token), loss)
                     : loss;
    }
    return lines.join('\n');
}

std::optional<PictureOptions> HeatmapView::picture(PictureOptions options) const {
    options.head = head();
    options.pinned.clear(); // a single map
    return options;
}

bool HeatmapView::isZoomed() const {
    return !zoomSides().empty();
}

QStringList HeatmapView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    if (options_.quantity != Quantity::Weights)
        parts.prepend(quantityKey(options_.quantity));
    if (run_ && run_->request.randomTwin)
        parts += QStringLiteral("twin-%1").arg(*run_->request.randomTwin);
    return parts;
}

} // namespace headscope::widgets
