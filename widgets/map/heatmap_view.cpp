#include "widgets/map/heatmap_view.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/map_extras.h"
#include "widgets/map/map_keys.h"
#include "widgets/map/named_labels.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QToolTip>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int patience = 150; ///< ms until the previous picture is greyed

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

/// False without setCause(), as in a comparison, and for traces, which hold no losses. Keys of roll-outs are
/// source tokens, too.
bool HeatmapView::showsLosses() const {
    const bool canBeMeasured = run_ && run_->model && !run_->model->recorded;
    return options_.losses && hasCauses_ && canBeMeasured && !drawn_->shown.empty() &&
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
        labels_ = turnedLabelsHeight(roomOf(shown, QRectF(rect()), Canvas::Window));
        layout_ = layOut(shown, QRectF(rect()), Canvas::Window);
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

namespace {

constexpr double heatmapViewLabelGap = 8; ///< between the axis titles and the labels
constexpr double captionGap = 12;         ///< above the caption
constexpr double hintGap = 4;             ///< between the hint and the caption of a page
// Fewest and most rows, of a line's height each, that a map has room for before the view scrolls.
constexpr int fewestRows = 4;
constexpr int heatmapViewMostRows = 16;
constexpr double heatmapViewLeastCell = 5; ///< smallest legible cell
constexpr double usualHeight = 600;        ///< height of a view, for the length of its bars

} // namespace

/// The text in the window has a fixed number of lines, so that the map never moves. All of it is in the
/// tooltip.
HeatmapView::Frame HeatmapView::frame(const QRectF& area, Canvas canvas) const {
    return canvas == Canvas::Page ? pageFrame(area) : windowFrame(area);
}

HeatmapView::Frame HeatmapView::windowFrame(const QRectF& area) const {
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double line = QFontMetricsF(font()).height();
    const double hint = hasHint() ? line : 0;
    const double words = captionLines * line;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), line),
            .map = inside.adjusted(0, line + heatmapViewLabelGap, 0, -words - captionGap),
            .hint = QRectF(inside.left(), inside.bottom() - words, inside.width(), hint),
            .caption = QRectF(inside.left(), inside.bottom() - words + hint, inside.width(), words - hint)};
}

HeatmapView::Frame HeatmapView::pageFrame(const QRectF& area) const {
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double line = QFontMetricsF(font()).height();
    const double axes = axesHeight(inside.width());
    const double gap = gapBelow(inside.width()), between = gapBetween();
    // Whole lines: a third of the height, more if the map does not need it, less if cells were too small.
    const double seen =
        leastMap(area.height()) - rowsOfLines() * (labelStyle().lineHeight() - heatmapViewLeastCell);
    const double third =
        std::clamp(inside.height() - axes - heatmapViewLabelGap - seen - gap - between - line, 2 * line,
                   std::max(2 * line, inside.height() / 3));
    const double unused = inside.height() - axes - heatmapViewLabelGap - leastMap(area.height()) - gap -
                          between - hintLines(inside.width()) * line;
    const double most = std::max(1.0, std::floor(std::max(unused, third) / line)) * line;
    const double words = std::min(most, captionHeight(inside.width()));
    const double spare =
        inside.height() - axes - heatmapViewLabelGap - leastMap(area.height()) - gap - words - between;
    const double part = std::max(spare, inside.height() / (brief_ ? 10 : 6));
    const double hintHeight =
        std::min(std::max(1.0, std::floor(part / line + 0.01)), 1.0 * hintLines(inside.width())) * line;
    const double clear = hintHeight > 0 ? between : 0;
    const double top = inside.bottom() - words;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), axes),
            .map = inside.adjusted(0, axes + heatmapViewLabelGap, 0, -words - gap - hintHeight - clear),
            .hint = QRectF(inside.left(), top - hintHeight - clear, inside.width(), hintHeight),
            .caption = QRectF(inside.left(), top, inside.width(), words)};
}

double HeatmapView::axesHeight(double width) const {
    const QFontMetricsF metrics(font());
    // Whether numbers fit depends on the room that is left, so the note about it always has room.
    const bool isLong = std::max(rowCount(), columnCount()) > mostNamed / 2; // some may be unlabelled
    const QString most =
        axesInWords() + asNote(zoomForNumbers() + (isLong ? tr(" One row in 99 is labelled.") : QString()));
    const double whole = metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, most).height();
    return std::min((options_.numbers || isLong ? 3 : 2) * metrics.height(), whole);
}

double HeatmapView::gapBelow(double width) const {
    return figureParts().caption || hintLines(width) > 0 ? captionGap : 0;
}

double HeatmapView::gapBetween() const {
    return figureParts().caption ? hintGap : 0;
}

double HeatmapView::captionHeight(double width) const {
    if (!figureParts().caption)
        return 0;
    const QFontMetricsF metrics(font());
    double height = 0;
    for (const QString& words : (onPage_ ? onPage_->beside : QStringList()) + QStringList(shownCaption()))
        height = std::max(height,
                          metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, words).height());
    return height;
}

int HeatmapView::rowsOfLines() const {
    return std::clamp(rowCount(), fewestRows, heatmapViewMostRows);
}

double HeatmapView::leastMap(double height) const {
    return labels_ + rowsOfLines() * labelStyle().lineHeight() + 1 + extras(QRectF(0, 0, 1, height)).bottom();
}

int HeatmapView::heightForWidth(int) const {
    if (drawn_->shown.empty())
        return minimumSizeHint().height();
    const double line = QFontMetricsF(font()).height();
    return qCeil(2 * margin + line + heatmapViewLabelGap + leastMap(usualHeight) + captionGap +
                 captionLines * line);
}

int HeatmapView::pageHeight(int width) const {
    if (drawn_->shown.empty())
        return minimumSizeHint().height();
    const double inside = width - 2 * margin;
    const double hint = hintLines(inside) * QFontMetricsF(font()).height();
    return qCeil(2 * margin + axesHeight(inside) + heatmapViewLabelGap + leastMap(usualHeight) +
                 gapBelow(inside) + hint + (hint > 0 ? gapBetween() : 0) + captionHeight(inside));
}

int HeatmapView::heightSaved(int width) const {
    const int drawn = pageHeight(width);
    const FigureWithParts whole(*this, {});
    return pageHeight(width) - drawn;
}

/// A page has no tooltips, so large text makes it higher.
QSize HeatmapView::shortFigure() const {
    const QSize usual = FigureSource::figureSize();
    return {usual.width(), std::max(usual.height() - heightSaved(usual.width()), pageHeight(usual.width()))};
}

/// Larger if otherwise not all of up to mostNamed rows and columns were named.
QSize HeatmapView::figureSize() const {
    constexpr int step = 40, widest = 2400;
    const QSize usual = shortFigure();
    if (drawn_->shown.empty())
        return usual;
    const MapPicture shown = picture(lightTheme());
    const auto named = [&](QSize size) {
        return areAllNamed(layOut(shown, QRectF(QPointF(), size), Canvas::Page));
    };
    if (named(usual))
        return usual;
    const int more = std::min(rowCount(), mostNamed) - rowsOfLines();
    const double rows = rowCount() > mostNamed ? 0 : more * (labelStyle().lineHeight() + 1);
    for (int width = usual.width(); width <= widest; width += step) {
        const auto high = qCeil(pageHeight(width) + rows);
        for (const int height : {usual.height(), std::max(usual.height(), high)})
            if (named({width, height}))
                return {width, height};
    }
    return usual;
}

/// As narrow as possible with the column names of the usual size, and high enough for the whole text. Row
/// names are thinned out if all of them would need more than a page of paper.
QSize HeatmapView::narrowFigure(int width) const {
    constexpr double rowOfLines = 1.5, longest = 1.5; // in lines, and in widths of the page
    constexpr int nearly = 8;
    const QSize usual = shortFigure();
    const double line = labelStyle().lineHeight();
    if (drawn_->shown.empty() || width >= figureSize().width())
        return figureSize();
    if (width >= usual.width() || columnCount() * line > usual.width())
        return usual;
    const MapPicture shown = picture(lightTheme());
    const auto atWidth = [&](int width) {
        const double rows =
            std::min(rowCount() * rowOfLines * line, std::max<double>(rowCount(), longest * width));
        const double more = std::max(0.0, rows - rowsOfLines() * line);
        return QSize(width, qCeil(pageHeight(width) + more));
    };
    const auto named = [&](QSize size) {
        return layOut(shown, QRectF(QPointF(), size), Canvas::Page).labelledColumns().size();
    };
    const auto all = named(usual);
    if (named(atWidth(width)) >= all)
        return atWidth(width);
    int wide = usual.width();
    while (wide - width > nearly) {
        const int middle = (width + wide) / 2;
        (named(atWidth(middle)) >= all ? wide : width) = middle;
    }
    return wide < usual.width() ? atWidth(wide) : usual;
}

bool HeatmapView::hasHint() const {
    return (hasHintLine_ && isAboutEffect(options_.quantity)) || hasCauseLines();
}

/// The most lines that any hint may need at this width, so that the map of an animation does not jump between
/// steps.
int HeatmapView::hintLines(double width) const {
    if (!figureParts().notes)
        return 0;
    const double one = QFontMetricsF(font()).averageCharWidth();
    const double filled = std::max(one, width - 5 * one); // a line ends before the word that does not fit
    const auto lines = [&](int characters) { return qCeil(characters * one / filled); };
    const int effect = hasHintLine_ && isAboutEffect(options_.quantity) ? lines(120) : 0;
    const int cause = hasCauseLines() ? lines(150) + lines(80) : 0;
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

MapLayoutInput HeatmapView::roomOf(const MapPicture& picture, const QRectF& area, Canvas canvas) const {
    const QMarginsF beside = extras(area);
    MapLayoutInput input =
        layoutInput(picture, labelStyle(), frame(area, canvas).map.adjusted(0, 0, 0, -beside.bottom()));
    // Without a colour bar, room for the mark of the current step and for the largest loss.
    const double clear = showsLosses() ? 10 + QFontMetricsF(font()).horizontalAdvance("\u00B10.000") : 10;
    input.rightMargin = (colourBar_ ? colourBarWidth(picture.scale, font()) : clear) + beside.right();
    input.window = window_;
    return input;
}

MapLayout HeatmapView::layOut(const MapPicture& picture, const QRectF& area, Canvas canvas) const {
    MapLayoutInput room = roomOf(picture, area, canvas);
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
    if (frame(QRectF(rect()), Canvas::Window).axes.contains(position))
        return {axesInWords() + numbersInWords(layout_, Canvas::Window) + QChar('\n') +
                    tr("Zoom: mouse wheel (with Ctrl in a scrolling page), or + and - "
                       "around the cell. 0 fits the map."),
                {}};
    if (position.y() <= layout_.plot().bottom())
        return {};
    const QString words = hint(selection_->focus());
    return {words.isEmpty() ? caption() : words + QChar('\n') + caption(), {}};
}

void HeatmapView::goTo(MapCell cell) {
    MapView::goTo(cell);
    if (!isActiveWindow())
        return;
    const QRect there = layout_.cellRect(cell.row, cell.column).toAlignedRect();
    QToolTip::showText(mapToGlobal(QPoint(there.center().x(), there.bottom())), plainToolTip(tooltip(cell)),
                       this);
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    QToolTip::hideText();
    QWidget::focusOutEvent(event);
}

} // namespace headscope::widgets
