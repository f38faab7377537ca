#include "widgets/views/lines/lines_view.h"

#include "model/trace/refusal.h"
#include "model/trace/run.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/map_options.h"
#include "widgets/map/map_tones.h"
#include "widgets/map/shown_map.h"
#include "widgets/tiles/head_squares.h"
#include "widgets/views/lines/attention_lines.h"
#include "widgets/views/places.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QString>
#include <QStringList>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

struct LinesWords {
    Q_DECLARE_TR_FUNCTIONS(Lines)
};

constexpr int mostLinesNamed = 4;

/// At most two significant digits: 0.61, 0.2, 0.004.
QString briefly(double value) {
    return QString::number(value, 'g', value < 0.1 ? 1 : 2);
}

QString endsInWords(const trace::Run& run, const ShownMap& axes, bool ofQuery,
                    const std::vector<AttentionLine>& lines, int head) {
    QStringList named;
    for (auto line = lines.rbegin(); line != lines.rend() && named.size() < mostLinesNamed; ++line)
        if (line->head == head)
            named += LinesWords::tr("%1 %2", "token, weight")
                         .arg(ofQuery ? keyInWords(axes, line->key) : queryInWords(run, axes, line->query),
                              briefly(static_cast<double>(line->weight)));
    const QString list = named.join(ofQuery ? LinesWords::tr(", ") : LinesWords::tr("; "));
    if (named.empty())
        return ofQuery ? LinesWords::tr("has no strong line") : LinesWords::tr("has no strong line");
    return ofQuery ? LinesWords::tr("attends to %1").arg(list) : LinesWords::tr("is read by %1").arg(list);
}

/// "after “seiner”, choosing “Tochter”: attends to “daughter” 0.61, “his” 0.2": the strongest of `lines`,
/// which all end at `query` or else at `key`. Lists several heads separately.
QString tokenInWords(const trace::Run& run, const ShownMap& axes, std::optional<int> query,
                     std::optional<int> key, const std::vector<AttentionLine>& lines,
                     const std::vector<int>& heads) {
    const bool ofQuery = query.has_value();
    const QString token = ofQuery ? queryInWords(run, axes, *query) : keyInWords(axes, key.value_or(0));
    QStringList parts;
    for (const int head : heads) {
        const QString ends = endsInWords(run, axes, ofQuery, lines, head);
        parts += heads.size() == 1 ? ends : LinesWords::tr("head %1 %2").arg(QString::number(head), ends);
    }
    return LinesWords::tr("%1: %2", "token, its lines").arg(token, parts.join(LinesWords::tr(" / ")));
}

/// "Weights below 0.05 hidden: 97 of 132 lines, 12.3 % of the weight in all." On screen, adds how to see the
/// hidden lines.
QString leftOutInWords(const StrongLines& lines, bool isPage) {
    const QString threshold = QString::number(lines.threshold, 'g', 2);
    if (lines.leftOut == 0)
        return LinesWords::tr("All lines are drawn: no weight is below %1.").arg(threshold);
    const QString what =
        isPage ? LinesWords::tr("Weights below %1 hidden: %2 of %3 lines, %4 % of the weight in all.")
               : LinesWords::tr("Weights below %1 hidden: %2 of %3 lines, %4 % of the weight in all. Hover a "
                                "token to see its hidden lines.");
    return what.arg(threshold, QString::number(lines.leftOut),
                    QString::number(lines.leftOut + lines.lines.size()),
                    QString::number(100 * lines.weightLeftOut, 'f', 1));
}

constexpr double linesViewMargin = 12;

/// Of thousands of labels, measures only those with the most characters.
double widest(const LinesPicture& picture, const std::vector<TokenLabel>& labels) {
    constexpr std::ptrdiff_t mostMeasured = 400;
    std::vector<const TokenLabel*> longest;
    for (const TokenLabel& label : labels)
        longest.push_back(&label);
    const auto end = longest.begin() + std::min(mostMeasured, std::ssize(longest));
    std::ranges::nth_element(longest, end, std::ranges::greater(),
                             [](const TokenLabel* label) { return label->text.size(); });
    double width = 0;
    for (auto label = longest.begin(); label != end; ++label)
        width = std::max(width, picture.style.width(**label));
    return width;
}

/// The drawn lines, exported if the maps are not stored.
trace::DataTable linesTable(const std::vector<AttentionLine>& lines, trace::AttentionSite site,
                            const LinesPicture& picture) {
    const auto tokenIn = [](const std::vector<TokenLabel>& labels, int AttentionLine::*end) {
        return [&labels, end](const AttentionLine& line) { return labels.at(line.*end).full(); };
    };
    return {.name = "lines",
            .columns = {dataColumn("head", lines,
                                   [&](const auto& line) {
                                       return address(trace::HeadAddress{site, line.head});
                                   }),
                        dataColumn("query", lines, &AttentionLine::query),
                        dataColumn("query_token", lines, tokenIn(picture.queryLabels, &AttentionLine::query)),
                        dataColumn("key", lines, &AttentionLine::key),
                        dataColumn("key_token", lines, tokenIn(picture.keyLabels, &AttentionLine::key)),
                        dataColumn("weight", lines, &AttentionLine::weight)}};
}

constexpr double smallestNumber = 0.005; ///< smallest number that two decimals distinguish from zero

/// The value of `render --lines-of`: heads, "all", or empty for the selected head.
std::string headsOf(const LinesView& view) {
    if (view.shown() != LinesView::Shown::Chosen)
        return view.shown() == LinesView::Shown::AllHeads ? "all" : "";
    std::string list;
    for (const int head : view.heads())
        list += (list.empty() ? "" : ",") + std::to_string(head);
    return list;
}

void chooseHeadsIn(LinesView& view, const QString& list) {
    if (list.isEmpty() || list == QLatin1String("all"))
        return view.setShown(list.isEmpty() ? LinesView::Shown::OneHead : LinesView::Shown::AllHeads);
    std::vector<int> heads;
    for (const QString& head : list.split(',', Qt::SkipEmptyParts))
        if (const int number = head.toInt(); number >= 0)
            heads.push_back(number);
    view.chooseHeads(std::move(heads));
}

/// While decoding runs, the last chosen token may still be missing.
MapAxis piecesOf(const std::vector<trace::Token>& tokens, std::size_t count) {
    MapAxis axis{.labels = tokenLabels(tokens), .spans = {}};
    axis.labels.resize(count);
    for (std::size_t token = 0; token < count; ++token)
        axis.spans.push_back({token, token + 1});
    return axis;
}

/// Maps that are not stored are not grouped into words.
LineMap lineMap(const trace::Run& run, const trace::AttentionRecord& record, const std::vector<int>& heads,
                bool words) {
    const auto kind = record.site.kind;
    LineMap map;
    map.axes.kind = kind;
    map.axes.sourceColumns = kind == trace::AttentionKind::DecoderSelf ? 0 : record.keys();
    if (!words || record.isRecomputed()) {
        map.axes.queries = piecesOf(run.queryTokens(kind), record.queries());
        map.axes.keys = piecesOf(run.keyTokens(kind), record.keys());
        return map;
    }
    auto& byWords = map.words.emplace();
    byWords.site = record.site;
    for (const int head : heads) {
        MapOptions options;
        options.words = true;
        ShownMap shown = shownMap(run, nullptr, {record.site, head}, options);
        if (byWords.weights.empty())
            byWords.weights = trace::HeadStack(record.heads(), shown.values.rows(), shown.values.columns());
        for (std::size_t row = 0; row < shown.values.rows(); ++row)
            for (std::size_t column = 0; column < shown.values.columns(); ++column)
                byWords.weights.at(head, row, column) = shown.values(row, column);
        byWords.mask = std::move(shown.mask);
        map.axes.queries = std::move(shown.queries);
        map.axes.keys = std::move(shown.keys);
    }
    return map;
}

} // namespace

LinesView::LinesView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), bar_(new QWidget(this)), mode_(new QComboBox(bar_)),
      squares_(new HeadSquares(bar_)), scrollBar_(new QScrollBar(Qt::Vertical, this)) {
    installMapAccessibility(this);
    setAccessibleName(tr("Attention as lines"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    mode_->setAccessibleName(tr("Heads shown as lines"));
    mode_->setToolTip(
        tr("Lines of the selected head, of the heads chosen by their squares, or of all heads of the layer"));
    mode_->addItems({tr("Selected head"), tr("Chosen heads"), tr("All heads of the layer")});
    mode_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    mode_->setMinimumWidth(fontMetrics().averageCharWidth() * 10); // the text may be cut
    scrollBar_->hide();
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    row->addWidget(mode_);
    row->addWidget(squares_);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::s, space::m, 0);
    column->setSizeConstraint(QLayout::SetNoConstraint); // a large font must not widen the window
    column->addWidget(bar_);
    column->addStretch(1);
    connect(mode_, &QComboBox::activated, this, [this](int index) { setShown(static_cast<Shown>(index)); });
    connect(squares_, &HeadSquares::headToggled, this, &LinesView::toggleHead);
    connect(scrollBar_, &QScrollBar::valueChanged, this, &LinesView::pictureChanged);
    connect(selection_, &Selection::headChanged, this, &LinesView::headsChanged);
    connect(selection_, &Selection::stepChanged, this, &LinesView::followStep);
    connect(selection_, &Selection::focusChanged, this, &LinesView::focusMoved);
    headsChanged();
}

void LinesView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    headsChanged();
    followStep();
}

void LinesView::setShown(Shown shown) {
    if (shown == Shown::Chosen && chosen_.empty())
        chosen_ = picture_.heads;
    shown_ = shown;
    headsChanged();
}

/// Toggles a head among the visible ones, whatever the mode, and switches to chosen heads.
void LinesView::toggleHead(int head) {
    std::vector<int> next = picture_.heads;
    if (const auto found = std::ranges::find(next, head); found != next.end())
        next.erase(found);
    else
        next.push_back(head);
    chooseHeads(std::move(next));
}

void LinesView::chooseHeads(std::vector<int> heads) {
    if (heads.size() > mostChosen)
        heads.resize(mostChosen);
    std::ranges::sort(heads);
    if (!heads.empty())
        chosen_ = std::move(heads);
    setShown(Shown::Chosen);
}

void LinesView::setSpaceMarksShown(bool shown) {
    picture_.style.spaceMarks = shown;
    labelsChanged();
}

void LinesView::setWordsShown(bool shown) {
    if (std::exchange(words_, shown) != shown)
        headsChanged();
}

const trace::AttentionRecord* LinesView::record() const {
    const auto* site = run_ ? run_->recordOf(selection_->head()) : nullptr;
    return site && site->queries() > 0 && site->keys() > 0 ? site : nullptr;
}

std::vector<int> LinesView::headsToShow(int count) const {
    const std::vector<int> own(1, selection_->head().head);
    if (shown_ == Shown::OneHead)
        return own;
    std::vector<int> heads;
    if (shown_ == Shown::Chosen)
        std::ranges::copy_if(chosen_, std::back_inserter(heads), [&](int head) { return head < count; });
    else {
        heads.resize(count);
        std::iota(heads.begin(), heads.end(), 0);
    }
    return heads.empty() ? own : heads;
}

void LinesView::headsChanged() {
    const auto* site = record();
    const int count = site ? site->heads() : 0;
    picture_.heads = headsToShow(count);
    const bool full = shown_ == Shown::Chosen && picture_.heads.size() >= mostChosen;
    squares_->setHeads(count, picture_.heads, full ? static_cast<int>(mostChosen) : count);
    mode_->setCurrentIndex(shown_);
    bar_->setVisible(site != nullptr);
    map_ = site ? lineMap(*run_, *site, picture_.heads, words_) : LineMap();
    picture_.queryLabels = map_.axes.queries.labels;
    picture_.keyLabels = map_.axes.keys.labels;
    if (!isCounted()) {
        take({});
        linesOf_ = {};
    }
    missing_ = whyNotCounted();
    if (site && !isLong() && !isCounted()) {
        take(strongLines(*drawn(), picture_.heads, thresholdOf(site->keys()), mostLines));
        linesOf_ = shownLines();
    }
    labelsChanged();
    focusMoved();
    Q_EMIT questionsChanged();
}

double LinesView::thresholdOf(std::size_t keys) {
    constexpr double timesEven = 10;
    return keys == 0 ? mostThreshold : std::min(mostThreshold, timesEven / static_cast<double>(keys));
}

StrongLines LinesQuestion::count(const trace::Task& work) const {
    const auto& record = *run->record(site);
    return strongLines(record, heads, LinesView::thresholdOf(record.keys()), LinesView::mostLines, work);
}

std::vector<trace::Wanted> LinesView::questions() const {
    return isLong() ? std::vector<trace::Wanted>{trace::Counted(shownLines())} : std::vector<trace::Wanted>();
}

void LinesView::refresh() {
    setWordsShown(chosenFlag(*context().document, "map", "words"));
    if (!isLong() || isCounted())
        return;
    if (const auto lines = context().known->of(shownLines())) {
        linesOf_ = shownLines();
        take(*lines);
        pictureChanged();
        return focusMoved();
    }
    const QString why = whyNotCounted();
    if (std::exchange(missing_, why) != why)
        pictureChanged();
}

QString LinesView::whyNotCounted() const {
    const trace::Wanted question = trace::Counted(shownLines());
    const auto refusal = context().known->refusalOf(question);
    return refusal ? inWords(refusal)
                   : tr("Counting the lines of this long input: %1.")
                         .arg(shareInWords(context().known->shareOf(question)));
}

void LinesView::labelsChanged() {
    picture_.style.font = font();
    queryWidth_ = widest(picture_, picture_.queryLabels);
    keyWidth_ = widest(picture_, picture_.keyLabels);
    pictureChanged();
}

QRectF LinesView::pictureArea() const {
    const double top = bar_->isHidden() ? 0 : bar_->sizeHint().height() + 8;
    return QRectF(rect()).adjusted(0, top, 0, 0);
}

LinesView::Frame LinesView::frame(const QRectF& area, const QString& caption) const {
    const QFontMetricsF metrics(font());
    const QRectF inside = area.adjusted(linesViewMargin, linesViewMargin, -linesViewMargin, -linesViewMargin);
    const auto heightOf = [&](const QString& words) {
        return metrics.boundingRect(inside, Qt::TextWordWrap, words).height();
    };
    const double axes = std::min(2 * metrics.height(), heightOf(axesInWords()));
    const double captionHeight = caption.isEmpty() ? 0 : std::min(inside.height() / 3, heightOf(caption));
    const double gap = caption.isEmpty() ? 0 : 12;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), axes),
            .columns = inside.adjusted(0, axes + 8, 0, -captionHeight - gap),
            .caption = QRectF(inside.left(), inside.bottom() - captionHeight, inside.width(), captionHeight)};
}

LinesLayout LinesView::layOut(const QRectF& columns, bool scrolls) const {
    LinesLayoutInput input{.area = columns,
                           .queries = rowCount(),
                           .keys = columnCount(),
                           .queryLabelWidth = queryWidth_,
                           .keyLabelWidth = keyWidth_,
                           .numbersWidth = numbersWidth(picture_, columns.width() / 6),
                           .lineHeight = picture_.style.lineHeight(),
                           .scrolls = scrolls};
    if (scrolls)
        input.scrolled = scrollBar_->value();
    return LinesLayout(input);
}

void LinesView::pictureChanged() {
    labels_ = QPixmap();
    picture_.style.font = font();
    const QRectF columns = frame(pictureArea(), caption()).columns;
    const int extent = scrollBar_->sizeHint().width();
    layout_ = layOut(columns, true);
    const bool scrolls = !layout_.empty() && layout_.contentHeight() > columns.height() + 0.5;
    if (scrolls)
        layout_ = layOut(columns.adjusted(0, 0, -extent, 0), true);
    const QSignalBlocker silent(scrollBar_);
    scrollBar_->setVisible(scrolls);
    scrollBar_->setRange(0, scrolls ? static_cast<int>(layout_.contentHeight() - columns.height()) + 1 : 0);
    scrollBar_->setPageStep(columns.height());
    scrollBar_->setSingleStep(layout_.rowHeight());
    scrollBar_->setGeometry(
        QRectF(columns.right() - extent + linesViewMargin / 2, columns.top(), extent, columns.height())
            .toRect());
    if (!layout_.empty())
        layout_ = layOut(scrolls ? columns.adjusted(0, 0, -extent, 0) : columns,
                         true); // with the scroll position that setRange() may have changed
    update();
}

QString LinesView::caption(bool isPage) const {
    if (!record())
        return {};
    return captionWith(isCounted() ? leftOutInWords(lines_, isPage) : missing_);
}

/// `lines`: which lines are drawn.
QString LinesView::captionWith(const QString& lines) const {
    QString words = headsCaption(*run_, record()->site, picture_.heads, unit()) + QChar(' ') + lines;
    if (picture_.most > 1)
        words += ' ' + tr("Lines reach full strength at a weight of %1.").arg(picture_.most);
    if (map_.words)
        words += ' ' + tr("Words: sum over the tokens of a key word, mean over those of a query word.");
    else if (words_)
        words += ' ' + tr("Single tokens: inputs this long are not grouped into words.");
    return words;
}

QString LinesView::axesInWords() const {
    const auto kind = selection_->head().site.kind;
    return record() ? tr("Left: %1. Right: %2.")
                          .arg(queryAxisTitle(*run_, kind, unit()), keyAxisTitle(*run_, kind, unit()))
                    : QString();
}

trace::FigureData LinesView::figureData() const {
    const auto* shown = record();
    if (!shown || (shown->isRecomputed() && !isCounted()))
        return {};
    if (shown->isRecomputed())
        return {.tables = {linesTable(lines_.lines, shown->site, picture_)}};
    const auto queries = dataAxis("query", picture_.queryLabels);
    const auto keys = dataAxis("key", picture_.keyLabels);
    trace::FigureData data;
    for (const int head : picture_.heads)
        data.arrays.push_back(dataArray(trace::toString(trace::HeadAddress{shown->site, head}) + ".weights",
                                        drawn()->weights.head(head), &drawn()->mask, queries, keys));
    return data;
}

/// The part of a focus that is in these columns.
LinesMarks LinesView::marks(const TokenFocus& focus) const {
    LinesMarks marks{.query = map_.axes.queryOf(focus), .key = map_.axes.keyOf(focus)};
    if (map_.axes.kind != trace::AttentionKind::EncoderSelf)
        marks.stepQuery = map_.axes.queryOfRow(selection_->step());
    return marks;
}

std::vector<AttentionLine> LinesView::linesOfFocus() const {
    const auto* site = record();
    const LinesMarks lit = marks();
    if (!site || (!lit.query && !lit.key))
        return {};
    return linesOfToken(lit.query, lit.key);
}

/// For a key of a map that is not stored, only the drawn lines: all of them would need every cell.
std::vector<AttentionLine> LinesView::linesOfToken(std::optional<int> query, std::optional<int> key) const {
    if (query || !record()->isRecomputed())
        return widgets::linesOfToken(*drawn(), picture_.heads, query, key, smallestNumber);
    std::vector<AttentionLine> lines;
    std::ranges::copy_if(lines_.lines, std::back_inserter(lines),
                         [&](const AttentionLine& line) { return line.key == key; });
    return lines;
}

QString LinesView::focusInWords() const {
    const LinesMarks lit = marks();
    if (!lit.query && !lit.key)
        return {};
    const QString words = tokenInWords(*run_, map_.axes, lit.query, lit.key, linesOfFocus(), picture_.heads);
    return record() && record()->isRecomputed() && !lit.query ? tr("%1 (among the drawn lines)").arg(words)
                                                              : words;
}

void LinesView::focusMoved() {
    update();
    if (!isVisible())
        return; // the visible view describes the focus
    const QString words = focusInWords();
    describeForReaders(this, words.isEmpty() ? caption() : words);
    announceCursor(this, *this);
    Q_EMIT cellDescribed(words);
}

void LinesView::followStep() {
    update();
    if (const auto step = marks().stepQuery)
        showRow(*step);
}

void LinesView::showRow(int row) {
    if (!layout_.empty())
        scrollBar_->setValue(std::lround(layout_.scrolledToShow(row)));
}

TokenFocus LinesView::focusAt(QPointF position) const {
    if (const auto query = layout_.queryAt(position))
        return map_.axes.focusOf(query, std::nullopt);
    return map_.axes.focusOf(std::nullopt, layout_.keyAt(position));
}

QString LinesView::rowName(int row) const {
    return queryInWords(*run_, map_.axes, row);
}

QString LinesView::columnName(int column) const {
    return keyInWords(map_.axes, column);
}

QString LinesView::cellInWords(MapCell cell) const {
    QStringList parts;
    for (const int head : picture_.heads)
        parts += weightInWords(head, cell);
    return parts.join(QStringLiteral("; "));
}

QString LinesView::weightInWords(int head, MapCell cell) const {
    const trace::HeadAddress address{selection_->head().site, head};
    if (const auto own = map_.axes.runCell(cell))
        return cellStatus(*run_, address, own->row, own->column, Quantity::Weights);
    if (!map_.words || cell.row < 0 || cell.column < 0 || cell.row >= rowCount() ||
        cell.column >= columnCount())
        return {};
    const std::size_t row = cell.row;
    const std::size_t column = cell.column;
    const auto& weights = map_.words->weights;
    return QStringLiteral("%1 [%2 \u2192 %3] %4")
        .arg(widgets::address(address), rowName(cell.row), columnName(cell.column),
             map_.words->mask(row, column) == 0
                 ? tr("masked")
                 : numberText(static_cast<double>(weights(head, row, column))));
}

/// A pair has no area of its own: the label of its query.
QRect LinesView::cellArea(MapCell cell) const {
    return (layout_.queryRect(cell.row) & layout_.area()).toRect();
}

/// The highlighted pair, or the strongest line of a single highlighted token.
std::optional<MapCell> LinesView::cursorCell() const {
    const LinesMarks lit = marks();
    const auto lines = linesOfFocus();
    if (lit.query && lit.key)
        return MapCell{*lit.query, *lit.key};
    return lines.empty() ? std::nullopt : std::optional(MapCell{lines.back().query, lines.back().key});
}

bool LinesView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const TokenFocus there = focusAt(help->pos()); !there.isEmpty() && record()) {
        const auto query = map_.axes.queryOf(there);
        const auto key = map_.axes.keyOf(there);
        const QString words =
            tokenInWords(*run_, map_.axes, query, key, linesOfToken(query, key), picture_.heads);
        QToolTip::showText(help->globalPos(), plainToolTip(words), this);
    } else if (record() && !layout_.area().contains(help->pos())) { // this text may be cut
        QToolTip::showText(help->globalPos(), plainToolTip(axesInWords() + '\n' + caption()), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void LinesView::resizeEvent(QResizeEvent*) {
    pictureChanged();
    followStep();
}

void LinesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        labelsChanged();
}

void LinesView::showEvent(QShowEvent* event) {
    focusMoved(); // focus changes are ignored while hidden
    View::showEvent(event);
}

void LinesView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void LinesView::mouseMoveEvent(QMouseEvent* event) {
    selection_->setHover(focusAt(event->position()));
}

void LinesView::mousePressEvent(QMouseEvent* event) {
    const TokenFocus there = focusAt(event->position());
    if (event->button() == Qt::LeftButton && !there.isEmpty())
        selection_->togglePinned(there);
    else
        event->ignore();
}

void LinesView::wheelEvent(QWheelEvent* event) {
    const double rows = event->angleDelta().y() / 120.0 * 3;
    scrollBar_->setValue(scrollBar_->value() - static_cast<int>(std::lround(rows * layout_.rowHeight())));
    selection_->setHover(focusAt(event->position()));
    event->accept();
}

void LinesView::moveCursor(bool onKeys, int row) {
    const int last = (onKeys ? columnCount() : rowCount()) - 1;
    const int to = std::clamp(row, 0, last);
    showRow(to);
    selection_->setCursor(onKeys ? map_.axes.focusOf(std::nullopt, to) : map_.axes.focusOf(to, std::nullopt));
}

void LinesView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection_->focus().isEmpty()) {
        selection_->setCursor({});
        selection_->clearPinned();
        return;
    }
    if (layout_.empty()) {
        event->ignore();
        return;
    }
    const LinesMarks lit = marks();
    const bool onKeys = !lit.query && lit.key;
    const bool entering = !lit.query && !lit.key; // the first arrow key only shows the cursor
    const int at = onKeys ? *lit.key : lit.query.value_or(lit.stepQuery.value_or(0));
    const int page = std::max(1, static_cast<int>(layout_.area().height() / layout_.rowHeight()) - 1);
    switch (event->key()) {
    case Qt::Key_Up:
        return moveCursor(onKeys, entering ? at : at - 1);
    case Qt::Key_Down:
        return moveCursor(onKeys, entering ? at : at + 1);
    case Qt::Key_PageUp:
        return moveCursor(onKeys, at - page);
    case Qt::Key_PageDown:
        return moveCursor(onKeys, at + page);
    case Qt::Key_Home:
        return moveCursor(onKeys, 0);
    case Qt::Key_End:
        return moveCursor(onKeys, std::max(rowCount(), columnCount()));
    case Qt::Key_Left:
        return moveCursor(false, at);
    case Qt::Key_Right:
        return moveCursor(true, at);
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!entering)
            selection_->togglePinned(selection_->focus());
        return;
    default:
        event->ignore();
    }
}

void LinesView::addChoices(ViewChoices& choices) {
    choices.addText(
        "lines", "lines-of", [this] { return QString::fromStdString(headsOf(*this)); },
        [this](const QString& heads) { chooseHeadsIn(*this, heads); });
}

/// Shows exactly the listed heads ("0,2"), whatever is shown before.
void LinesView::showPicture(const PictureOptions& options) {
    const auto chosen = chosenValue(options, "lines-of");
    if (!chosen || !run_)
        return;
    const auto& lines = std::get<std::string>(*chosen);
    if (lines == "all")
        return setShown(Shown::AllHeads);
    const int count = run_->model->heads(selection_->head().site.kind);
    std::vector<int> wanted;
    std::istringstream parts(lines);
    for (std::string part; std::getline(parts, part, ',');) {
        const int head = std::stoi(part);
        if (head >= count || wanted.size() == mostChosen)
            throw trace::Refusal({.what = "These heads cannot be drawn beside each other",
                                  .where = "--lines-of",
                                  .expected = "at most " + std::to_string(mostChosen) + " heads below " +
                                              std::to_string(count),
                                  .found = lines,
                                  .wayOut = "name fewer, or all"});
        wanted.push_back(head);
    }
    const auto toggleMissing = [this](const std::vector<int>& some, const std::vector<int>& among) {
        for (const int head : some)
            if (std::ranges::find(among, head) == among.end())
                toggleHead(head);
    };
    const auto shown = heads();
    toggleMissing(wanted, shown);
    toggleMissing(shown, wanted);
}

void LinesView::drawWords(QPainter& painter, const Frame& parts, const LinesLayout& layout,
                          const QString& caption, const Theme& theme) const {
    painter.setFont(font());
    painter.setPen(theme.faintText);
    drawWrapped(painter, parts.axes, axesInWords());
    painter.setPen(theme.text);
    // Below the last row rather than at the bottom of the page.
    const double bottom = std::min(layout.area().bottom(), layout.area().top() + layout.contentHeight());
    const double up = std::max(0.0, parts.caption.top() - bottom - 12);
    drawWrapped(painter, parts.caption.translated(0, -up), caption);
}

void LinesView::drawPictures(const Theme& theme) {
    labels_ = QPixmap(size() * devicePixelRatioF());
    labels_.setDevicePixelRatio(devicePixelRatioF());
    labels_.fill(theme.background);
    QPainter painter(&labels_);
    if (layout_.empty()) {
        painter.setFont(font());
        drawEmptyState(painter, QRectF(rect()),
                       tr("Shows attention as lines from each token to the tokens it attends to."),
                       whyEmpty(), theme);
        return;
    }
    drawWords(painter, frame(pictureArea(), caption()), layout_, caption(), theme);
    drawLineLabels(painter, picture_, layout_, theme);
    linesImage_ = attentionLinesImage(devicePixelRatioF(), picture_, layout_, lines_.lines, theme);
}

QString LinesView::whyEmpty() const {
    const auto head = selection_->head();
    if (!run_)
        return hintForNoRun(*this);
    if (!run_->record(head.site) || head.head >= run_->model->heads(head.site.kind))
        return whyNoHead(*run_, head);
    return tr("No row of this head has been computed yet: step forward, or decode to the end.");
}

void LinesView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    if (labels_.isNull() || labels_.devicePixelRatio() != devicePixelRatioF())
        drawPictures(theme);
    QPainter painter(this);
    painter.drawPixmap(0, 0, labels_);
    if (!layout_.empty()) {
        const LinesMarks lit = marks();
        if (!lit.query && !lit.key) {
            painter.drawImage(linesArea(layout_).topLeft(), linesImage_);
        } else {
            const auto own = linesOfFocus();
            painter.drawImage(linesArea(layout_).topLeft(),
                              attentionLinesImage(devicePixelRatioF(), picture_, layout_, own, theme));
            drawLineWeights(painter, picture_, layout_, own, lit.query.has_value(), theme);
        }
        drawLinesMarks(painter, picture_, layout_, lit, theme);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
    }
}

/// Invalid weights may exceed 1; no line is clipped.
void LinesView::take(StrongLines lines) {
    lines_ = std::move(lines);
    double largest = 0;
    for (const AttentionLine& line : lines_.lines)
        if (std::isfinite(line.weight))
            largest = std::max(largest, static_cast<double>(line.weight));
    picture_.most = limitOfWeights(trace::AttentionKind::Cross, 0, largest);
}

/// Names the heads of the lines, as the squares do on screen. Returns the height. Only measures without a
/// painter.
double LinesView::drawFigureLegend(QPainter* painter, const QRectF& area, const Theme& theme) const {
    if (picture_.heads.size() < 2)
        return 0;
    std::vector<LegendEntry> entries;
    for (const int head : picture_.heads)
        entries.push_back({[pen = picture_.ink(head, theme).pen(2)](QPainter& painter, const QRectF& sample) {
                               painter.setPen(pen);
                               painter.drawLine(QPointF(sample.left(), sample.center().y()),
                                                QPointF(sample.right(), sample.center().y()));
                           },
                           tr("head %1").arg(head)});
    return drawLegend(painter, area, entries, font(), theme);
}

bool LinesView::hasQuery(std::size_t query) const {
    return map_.axes.kind == trace::AttentionKind::EncoderSelf ||
           isDecoded(map_.axes.queries.spans.at(query).last - 1);
}

bool LinesView::hasKey(std::size_t key) const {
    return map_.axes.kind != trace::AttentionKind::DecoderSelf ||
           isDecoded(map_.axes.keys.spans.at(key).first);
}

/// Clears labels that an animation has not reached; their room is kept.
LinesPicture LinesView::decodedPicture() const {
    LinesPicture picture = picture_;
    for (std::size_t i = 0; i < picture.queryLabels.size(); ++i)
        if (!hasQuery(i))
            picture.queryLabels[i] = {};
    for (std::size_t i = 0; i < picture.keyLabels.size(); ++i)
        if (!hasKey(i))
            picture.keyLabels[i] = {};
    return picture;
}

std::vector<AttentionLine> LinesView::decodedLines(std::vector<AttentionLine> lines) const {
    std::erase_if(lines, [this](const AttentionLine& line) { return !hasQuery(line.query); });
    return lines;
}

LinesView::Frame LinesView::figureFrame(const QRectF& area) const {
    const double legend = drawFigureLegend(nullptr, area, lightTheme());
    constexpr double around = linesViewMargin;
    return frame(area.adjusted(-around, legend - around, around, around), {});
}

/// Wide enough for whole labels and for lines that can be told apart, and a text line for every row.
QSizeF LinesView::linesSize(double wide) const {
    constexpr double between = 120, rowOfLines = 1.3, lowest = 0.4, tallest = 2900;
    constexpr int step = 16;
    const double rows = rowOfLines * picture_.style.lineHeight() * std::max(rowCount(), columnCount());
    QRectF page(0, 0, wide, 1e4);
    while (page.width() < FigureBlocks::usualWidth &&
           layOut(figureFrame(page).columns, false).between() < between)
        page.setWidth(page.width() + step);
    QRectF columns = figureFrame(page).columns;
    columns.setHeight(std::clamp(rows, lowest * page.width(), tallest));
    return {page.width(), columns.top() + std::min(columns.height(), layOut(columns, false).contentHeight())};
}

std::optional<FigureBlocks> LinesView::figureBlocks() const {
    if (!record())
        return std::nullopt;
    return FigureBlocks{
        .picture = {.size = [this](double wide) { return linesSize(wide); },
                    .draw = [this](QPainter& painter, const QRectF& area,
                                   const Theme& theme) { drawLinesFigure(painter, area, theme); },
                    .grows = false},
        .caption = figureCaption(),
        .font = font()};
}

void LinesView::drawLinesFigure(QPainter& painter, const QRectF& area, const Theme& theme) const {
    drawFigureLegend(&painter, area, theme);
    const Frame parts = figureFrame(area);
    const LinesLayout layout = layOut(parts.columns, false);
    painter.setFont(font());
    painter.setPen(theme.faintText);
    drawWrapped(painter, parts.axes, axesInWords());
    drawLineLabels(painter, decodedPicture(), layout, theme);
    LinesMarks pinned = pinnedMarks();
    if (!pinned.query && !pinned.key)
        return drawAttentionLines(painter, picture_, layout, decodedLines(lines_.lines), theme);
    const auto own = decodedLines(linesOfToken(pinned.query, pinned.key));
    drawAttentionLines(painter, picture_, layout, own, theme);
    drawLineWeights(painter, picture_, layout, own, pinned.query.has_value(), theme);
    if (!figureParts().marks)
        return;
    if (pinned.query && !hasQuery(*pinned.query))
        pinned.query.reset();
    if (pinned.key && !hasKey(*pinned.key))
        pinned.key.reset();
    drawLinesMarks(painter, picture_, layout, pinned, theme);
}

LinesMarks LinesView::pinnedMarks() const {
    const LinesMarks pinned = marks(selection_->pinned());
    return {.query = pinned.query, .key = pinned.key};
}

QString LinesView::figureCaption() const {
    const LinesMarks pinned = pinnedMarks();
    if (!record() || (!pinned.query && !pinned.key))
        return caption(true);
    return captionWith(tr("Only the lines of the pinned %1")
                           .arg(tokenInWords(*run_, map_.axes, pinned.query, pinned.key,
                                             linesOfToken(pinned.query, pinned.key), picture_.heads)));
}

FigureText LinesView::figureText() const {
    const auto head = selection_->head();
    const QString title = QString::fromStdString(
        picture_.heads.size() == 1 ? trace::toString(trace::HeadAddress{head.site, picture_.heads.front()})
                                   : trace::toString(head.site));
    return {.title = title + QStringLiteral("-lines"),
            .caption = figureCaption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = title,
            .quantity = quantityName(Quantity::Weights)};
}

std::optional<PictureOptions> LinesView::picture(PictureOptions options) const {
    return ofView(std::move(options), "lines");
}

View* views::makers::lines(Selection* selection, QWidget* parent) {
    return new LinesView(selection, parent);
}

} // namespace headscope::widgets
