#include "widgets/map/heatmap_view.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/maps/weights_and_effect.h"
#include "model/analysis/maps/why_masked.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/map_extras.h"
#include "widgets/map/map_keys.h"
#include "widgets/map/mask_words.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/words/class_title.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/not_stored_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWhatsThis>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::widgets {

using trace::AttentionKind;

namespace {

constexpr int patience = 150;             ///< ms until the previous picture is greyed
constexpr double heatmapViewLabelGap = 8; ///< between the axis titles and the labels
constexpr double captionGap = 12;         ///< above the caption
// Fewest and most rows, of a line's height each, that a map has room for before the view scrolls.
constexpr int fewestRows = 4;
constexpr int heatmapViewMostRows = 16;
constexpr double usualHeight = 600; ///< height of a view, for the length of its bars

} // namespace

HeatmapView::HeatmapView(Selection* selection, QWidget* parent)
    : MapView(tr("Attention map of one head"), selection, parent) {
    setProperty(zoomsByKey, true);
    late_.setSingleShot(true);
    late_.setInterval(patience);
    connect(&late_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(selection_, &Selection::headChanged, this, [this] {
        if (!fixedHead_)
            dataChanged();
    });
    connect(selection_, &Selection::stepChanged, this, qOverload<>(&QWidget::update));
}

void HeatmapView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    dataChanged();
}

void HeatmapView::setMaps(std::shared_ptr<const trace::QuantityMaps> maps) {
    if (std::exchange(maps_, maps) != maps)
        dataChanged();
}

void HeatmapView::setLongMap(std::shared_ptr<const LongMap> map) {
    const bool isFirst = !std::exchange(longMapsCome_, true);
    if ((std::exchange(long_, map) != map || isFirst) && run_ && isRecomputed(*run_, head(), options_))
        dataChanged();
}

void HeatmapView::setEffect(std::shared_ptr<const trace::QuantityMaps> normWeighted) {
    if (std::exchange(effect_, normWeighted) == normWeighted)
        return;
    if (effect_ && !std::exchange(hasHintLine_, true))
        pictureChanged();
    update();
}

void HeatmapView::expectEffect() {
    hasHintLine_ = true;
    pictureChanged();
}

void HeatmapView::setCause(const ShownCause& cause) {
    ShownCause before = std::exchange(cause_, cause);
    if (before == cause)
        return;
    const bool tells = cause.everywhere || cause.isAwaited || !cause.whyNot.isEmpty();
    if (tells && !std::exchange(hasCauses_, true))
        pictureChanged();
    before.progress = cause.progress;
    if (before == cause)
        update(); // screen readers do not need every step of the progress
    else
        focusMoved();
}

void HeatmapView::setWhyNoMaps(const QString& why) {
    if (std::exchange(whyNoMaps_, why) != why)
        dataChanged();
}

void HeatmapView::setFixedHead(std::optional<trace::HeadAddress> head) {
    const bool isAnother = std::exchange(fixedHead_, head) != head;
    dataChanged();
    if (brief_ && isAnother) // else the previous head's picture would have this head's name
        before_ = QPixmap();
}

void HeatmapView::setBrief(bool brief) {
    brief_ = brief;
    pictureChanged();
}

void HeatmapView::setColourBarShown(bool shown) {
    if (std::exchange(colourBar_, shown) != shown)
        pictureChanged();
}

std::optional<ColourScale> HeatmapView::colourScale(const Theme& theme) const {
    return drawn_->shown.empty() ? std::nullopt : std::optional(drawn_->tones.scale(theme.dark));
}

void HeatmapView::setOptions(const MapOptions& options) {
    if (std::exchange(options_, options) != options)
        dataChanged();
}

void HeatmapView::setQuantity(Quantity quantity) {
    MapOptions options = options_;
    options.quantity = quantity;
    setOptions(options);
}

void HeatmapView::setMapping(ColourMapping mapping) {
    MapOptions options = options_;
    options.mapping = mapping;
    setOptions(options);
}

bool HeatmapView::isAwaited() const {
    if (run_ && isRecomputed(*run_, head(), options_))
        return longMapsCome_ && !hasLongMap() && whyNoMaps_.isEmpty();
    return run_ && computedFor(options_.quantity) && whyNoMaps_.isEmpty() &&
           !(maps_ && holds(*maps_, head(), options_.quantity));
}

bool HeatmapView::hasLongMap() const {
    return long_ && long_->map && long_->isOf(run_, head(), options_);
}

bool HeatmapView::isPreview() const {
    return hasLongMap() && long_->map == drawn_ && long_->tokensACell > 1;
}

bool HeatmapView::comparesEffect() const {
    return isAboutEffect(options_.quantity) && effect_ && run_ &&
           holds(*effect_, head(), Quantity::NormWeighted);
}

bool HeatmapView::hasCauseLines() const {
    return hasCauses_ && isAboutEffect(options_.quantity) && head().site.kind == trace::AttentionKind::Cross;
}

/// False without setCause(), as in a comparison, and for traces that hold no losses. Keys of roll-outs are
/// source tokens, too.
bool HeatmapView::showsLosses() const {
    const bool canBeKnown = run_ && run_->model && (!run_->model->recorded || cause_.everywhere);
    return options_.losses && hasCauses_ && canBeKnown && !drawn_->shown.empty() &&
           drawn_->shown.kind == trace::AttentionKind::Cross;
}

void HeatmapView::dataChanged() {
    const bool awaited = isAwaited();
    if (awaited && !drawn_->shown.empty() && !still().isNull()) {
        before_ = still();
        late_.start();
    }
    if (!awaited)
        before_ = QPixmap();
    const std::size_t keysBefore = drawn_->shown.keys.spans.size();
    const bool turnedBefore = drawn_->shown.transposed;
    if (run_ && isRecomputed(*run_, head(), options_))
        drawn_ = hasLongMap() ? long_->map : std::make_shared<ReadyMap>();
    else
        drawn_ = std::make_shared<ReadyMap>(
            run_ ? widgets::shownMap(*run_, maps_.get(), head(), options_) : ShownMap(), options_);
    // The zoom stays if the keys do: for the next head, or one step more.
    if (drawn_->shown.keys.spans.size() != keysBefore || drawn_->shown.transposed != turnedBefore ||
        !hasPart(window_))
        window_ = QRectF();
    pictureChanged();
    focusMoved();
    Q_EMIT dataShown();
}

void HeatmapView::pictureChanged() {
    const MapPicture shown = picture(themeOf(palette()));
    layout_ = MapLayout();
    labels_ = 0;
    if (!shown.values.empty()) {
        labels_ = turnedLabelsHeight(roomOf(shown, QRectF(rect()), frame().map));
        layout_ = layOut(shown, QRectF(rect()), frame().map);
    }
    updateGeometry();
    MapView::pictureChanged();
}

QString HeatmapView::litInWords() const {
    const auto cell = cursorCell();
    const QString words = cell ? cellInWords(*cell) : QString();
    return words.isEmpty() ? caption() : words;
}

void HeatmapView::focusMoved() {
    MapView::focusMoved();
    const auto cell = cursorCell();
    Q_EMIT cellDescribed(cell ? cellInWords(*cell) : QString());
}

std::optional<MapCell> HeatmapView::cursorCell() const {
    const MapMarks lit = marks(selection_->focus());
    if (lit.row && lit.column)
        return MapCell{*lit.row, *lit.column};
    return std::nullopt;
}

/// In the focused row or column, else in that of the current step.
std::optional<MapCell> HeatmapView::entry() const {
    const MapMarks lit = marks(selection_->focus());
    return MapCell{lit.row.value_or(lit.stepRow.value_or(0)),
                   lit.column.value_or(lit.stepColumn.value_or(0))};
}

FigureText HeatmapView::figureText() const {
    const QString about = QString::fromStdString(isPerHead(options_.quantity) ? trace::toString(head())
                                                                              : trace::toString(head().site));
    return {.title = about,
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = about,
            .quantity = quantityName(options_.quantity)};
}

bool HeatmapView::hasFigure() const {
    return !drawn_->shown.empty();
}

trace::FigureData HeatmapView::figureData() const {
    const ShownMap& shown = drawn_->shown;
    trace::FigureData data;
    if (shown.empty())
        return data;
    const char* rows = shown.transposed ? "key" : "query";
    const char* columns = shown.transposed ? "query" : "key";
    data.arrays.push_back(dataArray(dataName(options_.quantity), trace::view(shown.values), &shown.mask,
                                    dataAxis(rows, shown.rows().labels),
                                    dataAxis(columns, shown.columns().labels)));
    if (!shown.kept.empty())
        data.arrays.push_back(dataArray("kept", shown.kept, dataAxis("query", shown.queries.labels)));
    if (options_.received)
        data.arrays.push_back(dataArray("received", shown.received, dataAxis("key", shown.keys.labels)));
    for (const auto& [name, losses] :
         {std::pair("loss_everywhere", cause_.everywhere), std::pair("loss_in_this_head", cause_.here)})
        if (showsLosses() && losses)
            data.arrays.push_back(
                dataArray(name, losses->drops, dataAxis("source", tokenLabels(run_->source))));
    return data;
}

/// The text in the window has one line, so that the map never moves. The rest is in the details.
HeatmapView::Frame HeatmapView::frame() const {
    const QRectF inside = QRectF(rect()).adjusted(margin, heatmapViewLabelGap, -margin, -heatmapViewLabelGap);
    const double line = QFontMetricsF(font()).height();
    return {.map = inside.adjusted(0, 0, 0, -line - captionGap),
            .words = QRectF(inside.left(), inside.bottom() - line, inside.width(), line)};
}

int HeatmapView::rowsOfLines() const {
    return std::clamp(rowCount(), fewestRows, heatmapViewMostRows);
}

double HeatmapView::heightFor(double rows, double labels) const {
    return labels + rows * labelStyle().lineHeight() + 1 + extras(QRectF(0, 0, 1, usualHeight)).bottom();
}

int HeatmapView::heightForWidth(int) const {
    if (drawn_->shown.empty())
        return minimumSizeHint().height();
    const double line = QFontMetricsF(font()).height();
    return qCeil(2 * heatmapViewLabelGap + heightFor(rowsOfLines(), labels_) + captionGap + line);
}

/// On a whole page, larger if otherwise not all of up to mostNamed rows and columns were named. On a narrow
/// one as narrow as possible with the column names of a whole one; rows are thinned out if all of them would
/// need more than a page of paper.
QSizeF HeatmapView::mapSize(double width) const {
    constexpr double step = 40, widest = 2400;
    constexpr double lowest = 640, around = 48, gap = 12;         // of a figure, with its margins and gaps
    constexpr double rowOfLines = 1.5, longest = 1.5, nearly = 8; // in lines, and in widths of the page
    const double page = std::max(width, FigureBlocks::usualWidth);
    const double line = labelStyle().lineHeight();
    const QRectF whole(0, 0, page, usualHeight);
    const double labels = turnedLabelsHeight(roomOf(picture(lightTheme()), whole, whole));
    const auto wordsHeight = [&](const QString& words) {
        return wordsBlock(words, font()).size(page).height();
    };
    const double hint = hintLines(page) * QFontMetricsF(font()).height();
    const double text = wordsHeight(axesInWords()) + wordsHeight(caption()) + hint + (hint > 0 ? gap : 0);
    const double usualRows =
        std::max(std::floor(lowest - around - text), std::ceil(heightFor(rowsOfLines(), labels)));
    const auto layoutAt = [this](QSizeF size) { return layOutFigure(QRectF(QPointF(), size)); };
    const auto wide = [&]() -> QSizeF {
        const double rows = rowCount() > mostNamed ? rowsOfLines() : rowCount() * (1 + 1 / line);
        const double high = std::ceil(std::max(usualRows, heightFor(rows, labels)));
        for (double larger = page; larger <= widest; larger += step)
            for (const double height : {usualRows, high})
                if (areAllNamed(layoutAt({larger, height})))
                    return {larger, height};
        return {page, usualRows};
    };
    if (width >= page)
        return wide();
    const auto narrow = [&](double narrower) {
        const double rows =
            std::min(rowCount() * rowOfLines, std::max<double>(rowCount(), longest * narrower) / line);
        return QSizeF(narrower, std::ceil(heightFor(std::max<double>(rows, rowsOfLines()), labels)));
    };
    const auto named = layoutAt({page, usualRows}).labelledColumns().size();
    for (double narrower = width; narrower < page; narrower += nearly)
        if (layoutAt(narrow(narrower)).labelledColumns().size() >= named)
            return narrow(narrower);
    return wide();
}

/// The most lines that any hint may need at this width, so that the map of an animation does not jump between
/// steps.
int HeatmapView::hintLines(double width) const {
    const double one = QFontMetricsF(font()).averageCharWidth();
    const double filled = std::max(one, width - 5 * one); // a line ends before the word that does not fit
    const auto lines = [&](int characters) { return qCeil(characters * one / filled); };
    const int effect = hasHintLine_ && isAboutEffect(options_.quantity) ? lines(120) : 0;
    const int cause = hasCauseLines() ? lines(150) + lines(100) : 0;
    const bool countsOthers = options_.words || options_.withoutSpecial; // one more sentence
    return effect + cause + (countsOthers && effect + cause > 0 ? lines(60) : 0);
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

double HeatmapView::barLength(const QRectF& area) const {
    return options_.received ? std::clamp(area.height() * 0.06, 12.0, 36.0) : 0;
}

MapLayoutInput HeatmapView::roomOf(const MapPicture& picture, const QRectF& area, const QRectF& map) const {
    const QMarginsF beside = extras(area);
    MapLayoutInput input = layoutInput(picture, labelStyle(), map.adjusted(0, 0, 0, -beside.bottom()));
    // Without a colour bar, room for the mark of the current step and for the largest loss.
    const double clear = showsLosses() ? 10 + QFontMetricsF(font()).horizontalAdvance("\u00B10.000") : 10;
    input.rightMargin = (colourBar_ ? colourBarWidth(picture.scale, font()) : clear) + beside.right();
    input.window = window_;
    return input;
}

MapLayout HeatmapView::layOut(const MapPicture& picture, const QRectF& area, const QRectF& map) const {
    MapLayoutInput room = roomOf(picture, area, map);
    MapLayout layout(room);
    if (!showsLosses() || drawn_->shown.transposed || layout.empty())
        return layout;
    // Names of losses are before the bars, or after them with a number of some digits.
    const double name = lossNamesWidth();
    const double after = name + QFontMetricsF(font()).horizontalAdvance(QStringLiteral(" \u00B10.0000"));
    if (area.right() - layout.plot().right() >= after || layout.plot().left() >= name + 2 * margin)
        return layout;
    room.area.setLeft(room.area.left() + name + 2 * margin - layout.plot().left());
    return MapLayout(room);
}

MapLayout HeatmapView::layOutFigure(const QRectF& area) const {
    return layOut(picture(lightTheme()), area, area);
}

double HeatmapView::lossNamesWidth() const {
    const QFontMetricsF metrics(font());
    return std::max(metrics.horizontalAdvance(lossesEverywhere()), metrics.horizontalAdvance(lossesHere()));
}

std::optional<MapCell> HeatmapView::runCellAt(QPoint position) const {
    const auto cell = cellAt(position);
    return cell && isPerHead(options_.quantity) ? drawn_->shown.runCell(*cell) : std::nullopt;
}

std::optional<PointedAt> HeatmapView::pointedAt(QPoint position) const {
    if (!run_)
        return std::nullopt;
    PointedAt pointed{.head = head(), .cell = {}, .run = run_.get()};
    if (const auto cell = runCellAt(position))
        pointed.cell = {.query = static_cast<std::size_t>(cell->row),
                        .key = static_cast<std::size_t>(cell->column)};
    return pointed;
}

TokenFocus HeatmapView::focusAt(QPointF position) const {
    if (const auto cell = layout_.cellAt(position))
        return drawn_->shown.focusOf(cell->row, cell->column);
    return drawn_->shown.focusOf(layout_.rowLabelAt(position), layout_.columnLabelAt(position));
}

TokenFocus HeatmapView::focusOf(MapCell cell) const {
    return drawn_->shown.focusOf(cell.row, cell.column);
}

MapView::Words HeatmapView::wordsAt(QPointF position) const {
    const bool turned = drawn_->shown.transposed;
    if (layout_.empty())
        return {};
    if (const auto cell = layout_.cellAt(position))
        return {tooltip(*cell), layout_.cellRect(cell->row, cell->column).toAlignedRect()};
    const auto ofAxis = [&](int index, bool isKey) {
        return Words{isKey ? keyTooltip(index) : queryName(index), {}};
    };
    if (const auto row = layout_.rowLabelAt(position))
        return ofAxis(*row, turned);
    if (const auto column = layout_.columnLabelAt(position))
        return ofAxis(*column, !turned);
    if (showsLosses() && lossesArea(QRectF(rect()), layout_).contains(position)) {
        const QPointF middle = layout_.plot().center();
        if (const auto key = layout_.cellAt(turned ? QPointF(middle.x(), position.y())
                                                   : QPointF(position.x(), middle.y())))
            return ofAxis(turned ? key->row : key->column, true);
    }
    return {position.y() > layout_.plot().bottom() ? details() : QString(), {}};
}

void HeatmapView::goTo(MapCell cell) {
    MapView::goTo(cell);
    if (!isActiveWindow())
        return;
    const QRect there = layout_.cellRect(cell.row, cell.column).toAlignedRect();
    QToolTip::showText(mapToGlobal(belowOf(there.center(), there)), plainToolTip(tooltip(cell)), this);
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    QToolTip::hideText();
    QWidget::focusOutEvent(event);
}

MapPicture HeatmapView::picture(const Theme& theme) const {
    MapPicture picture{.values = drawn_->coloured()};
    if (drawn_->shown.empty())
        return {};
    picture.numbers = trace::view(drawn_->shown.values);
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
    drawMapMark(painter, layout.plot(), headMark(run_->request.interventions, head()), theme);
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
    if (framesKeysAhead())
        drawKeysAhead(painter, drawn_->shown, layout, theme);
    drawChanges(painter, layout, theme);
    drawNames(painter, picture, layout, theme);
    drawTwoSides(painter, drawn_->shown, layout, font(), theme);
    if (options_.received)
        drawReceived(painter, drawn_->shown, received(), picture, layout, barLength(area), font(), theme);
    if (colourBar_)
        drawColourBar(painter, layout.plot().adjusted(0, 0, extras(area).right(), 0), picture.scale, font(),
                      theme);
}

void HeatmapView::drawMoving(QPainter& painter, const QRectF& area, const MapLayout& layout,
                             const TokenFocus& lit, const Theme& theme) const {
    if (figureParts().marks)
        drawMapMarks(painter, picture(theme), layout, marks(lit), labelStyle(), theme);
    drawStepsLosses(painter, area, layout, theme);
}

QRectF HeatmapView::lineBelow() const {
    const double end = layout_.plot().bottom() + extras(QRectF(rect())).bottom();
    const QRectF line = frame().words;
    return line.translated(0, -std::max(0.0, line.top() - end - captionGap));
}

QString HeatmapView::details() const {
    QStringList lines{axesInWindow(), hint(selection_->focus()), caption(),
                      tr("Zoom: mouse wheel (with Ctrl in a scrolling page), or + and - "
                         "around the cell. 0 fits the map.")};
    lines.removeAll(QString());
    return lines.join('\n');
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
    painter.setFont(font());
    if (drawn_->shown.empty())
        return drawEmptyState(painter, QRectF(rect()),
                              tr("Shows one attention head: which token attends to which."), whyEmpty(),
                              theme);
    drawMap(painter, QRectF(rect()), picture(theme), layout_, theme);
}

/// The line of words depends on the step and the focus, so it is not cached.
void HeatmapView::paintMoving(QPainter& painter, const Theme& theme) const {
    if (drawn_->shown.empty())
        return;
    drawMoving(painter, QRectF(rect()), layout_, selection_->focus(), theme);
    painter.setFont(fontOf(TextRole::Caption, font()));
    const QRectF line = lineBelow();
    const QString more = brief_ ? QString() : tr("Details");
    const double room = QFontMetricsF(painter.font()).horizontalAdvance(more);
    painter.setPen(theme.accent);
    painter.drawText(line, Qt::AlignRight, more);
    painter.setPen(theme.faintText);
    const QString words = hint(selection_->focus()).replace('\n', ' ');
    const QString before = isPreview() ? tr("Preview; the whole map follows.") + ' ' : QString();
    drawWrapped(painter, line.adjusted(0, 0, -room - margin, 0), before + axesInWindow() + ' ' + words);
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    MapView::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !drawn_->shown.empty() &&
        lineBelow().contains(event->position()))
        QWhatsThis::showText(event->globalPosition().toPoint(), plainToolTip(details()), this);
}

void HeatmapView::paintEvent(QPaintEvent* event) {
    if (before_.isNull())
        return MapView::paintEvent(event);
    QPainter painter(this);
    drawLate(painter, themeOf(palette()));
}

/// Has the marks of the screen, because the hint describes the marked row, but not those of the pointer,
/// which is on its way to a menu.
FigureBlock HeatmapView::block() const {
    const FigureBlock map{.size = [this](double width) { return mapSize(width); },
                          .draw =
                              [this](QPainter& painter, const QRectF& area, const Theme& theme) {
                                  const MapLayout layout = layOutFigure(area);
                                  painter.setFont(font());
                                  drawMap(painter, area, picture(theme), layout, theme);
                                  drawMoving(painter, area, layout, selection_->pinned(), theme);
                              },
                          .note =
                              [this](const QRectF& area) {
                                  const MapLayout layout = layOutFigure(area);
                                  return withoutNumbers(layout, tr("Cells are too small for numbers.")) +
                                         namedInWords(layout);
                              }};
    const FigureBlock hintBelow{
        .size =
            [this](double width) { return QSizeF(width, hintLines(width) * QFontMetricsF(font()).height()); },
        .draw =
            [this](QPainter& painter, const QRectF& area, const Theme& theme) {
                painter.setFont(font());
                painter.setPen(theme.faintText);
                drawWrapped(painter, area, hint(selection_->pinned()));
            },
        .grows = false};
    FigureBlock axes = wordsBlock(axesInWords(), font());
    axes.draw = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
        painter.setFont(font());
        painter.setPen(theme.faintText);
        drawWrapped(painter, area, axesInWords());
    };
    std::vector<FigureBlock> blocks{axes, map};
    if (figureParts().notes && hintLines(FigureBlocks::usualWidth) > 0)
        blocks.push_back(hintBelow);
    return stacked(blocks);
}

std::optional<FigureBlocks> HeatmapView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    return FigureBlocks{.picture = block(), .caption = caption(), .font = font()};
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
    const QString which = run_->target.empty() ? tr("The logit here is that of class \u201C%1\u201D")
                                                     .arg(isolated(classTitle(*run_->model, maps_->step)))
                                               : tr("The logit here is that of %1 in step %2")
                                                     .arg(quoted(tokenLabel(*maps_->token)))
                                                     .arg(maps_->step + 1);
    return (maps_->contrast
                ? tr("%1, minus the logit of %2.").arg(which, quoted(tokenLabel(*maps_->contrast)))
                : tr("%1.").arg(which));
}

/// " compared with “Katze”", of the token that knock-out losses are measured against.
QString HeatmapView::lossContrast() const {
    const auto& contrast = cause_.everywhere ? cause_.everywhere->contrast : std::optional<trace::Token>();
    return contrast ? tr(" compared with %1").arg(quoted(tokenLabel(*contrast))) : QString();
}

/// Scores before the mask have all cells, whatever the mask.
bool HeatmapView::framesKeysAhead() const {
    return options_.quantity != Quantity::Scores && isWithoutCausalMask(drawn_->shown);
}

/// What the view hides, groups or adds.
QStringList HeatmapView::viewInWords() const {
    QStringList words;
    if (drawn_->shown.transposed)
        words += tr("The map is transposed: statements about rows apply to its columns, and vice versa.");
    if (options_.withoutSpecial)
        words += drawn_->shown.hidden == 0      ? tr("There are no special keys to hide.")
                 : sumsToOne(options_.quantity) ? tr("Special keys are hidden, and the rest is renormalised.")
                                                : tr("Special keys are hidden.");
    if (!drawn_->shown.weak.empty())
        words += tr("Rows with less than 0.05 left, where noise is magnified (dashed): %1.")
                     .arg(drawn_->shown.weak.size());
    if (framesKeysAhead())
        words += tr("Framed: what a causal mask would hide.");
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
        words += tr("The source is not read before the first cross-attention, so its side is empty.");
    else if (isRollout)
        words += tr("Each side sums to 1: the share of the source follows from the number of layers and "
                    "carries no information.");
    if (drawn_->shown.undefinedRows > 0)
        words += tr("Rows that are undefined because only biases contribute (hatched): %1.")
                     .arg(drawn_->shown.undefinedRows);
    if (options_.numbers)
        words += tr("Numbers in cells are rounded: 0 means exactly 0; < or > marks values that rounding "
                    "would turn into 0.");
    if (options_.received) {
        const QString longest = numberText(received().longest);
        const bool grow = isAnimated() && drawn_->shown.kind != AttentionKind::EncoderSelf;
        words +=
            grow ? tr("Bars: column totals over the rows decoded so far; the longest bar of all steps is %1.")
                       .arg(longest)
                 : tr("Bars: column totals; the longest is %1.").arg(longest);
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
                      "without each source token, masked in all cross-attention (left) and in this head's "
                      "cell only (right). Bars to the left are losses, bars to the right gains. Each line is "
                      "scaled to its longest bar and has no bars if all its changes are below 0.0005.")
                 : tr("Bars around lines: change in the log-probability of the current step's token%1 "
                      "without each source token, masked in all cross-attention (above) and in this head's "
                      "cell only (below). Bars up are losses, bars down gains. Each line is scaled to its "
                      "longest bar and has no bars if all its changes are below 0.0005."))
                .arg(lossContrast());
    return words;
}

QString HeatmapView::withoutNumbers(const MapLayout& layout, const QString& words) const {
    return options_.numbers && !cellNumbersFit(drawn_->shown, layout, font()) ? QChar(' ') + words
                                                                              : QString();
}

QString HeatmapView::axesInWindow() const {
    const QString named = namedInWords(layout_);
    return axesInWords() + named + (named.isEmpty() ? QString() : QChar(' ') + tr("Hover for the rest.")) +
           withoutNumbers(layout_, tr("Zoom in to see the numbers."));
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
               ? tr("Single tokens are compared: %1 tokens in %2 rows of the map.").arg(keys).arg(drawn)
               : tr("Single tokens are compared: %1 tokens in %2 columns of the map.").arg(keys).arg(drawn);
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
