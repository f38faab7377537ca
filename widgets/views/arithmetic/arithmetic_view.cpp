#include "widgets/views/arithmetic/arithmetic_view.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/runs_beside.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/map_options.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/arithmetic/arithmetic_figure.h"
#include "widgets/views/arithmetic/arithmetic_words.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

bool isWithin(int index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
}

int strongestKey(const trace::AttentionRecord& record, std::size_t head, std::size_t query) {
    const auto row = analysis::headRow(record, head, query).weights;
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

trace::DataTable dimensionsOf(const analysis::CellArithmetic& cell) {
    return {.name = "dimensions",
            .columns = {dataColumn("q", cell.q), dataColumn("k", cell.k),
                        dataColumn("product", cell.products), dataColumn("v", cell.v),
                        dataColumn("weight_times_v", cell.adds), dataColumn("output", cell.output)}};
}

trace::DataTable rowOf(const trace::Run& run, const analysis::CellArithmetic& cell) {
    const auto& keys = run.keyTokens(cell.head.site.kind);
    QStringList tokens;
    std::vector<double> open, scores, exponentials, weights;
    for (std::size_t i = 0; i < cell.row.size(); ++i) {
        tokens += tokenLabel(keys.at(i)).full();
        open.push_back(cell.row[i].open ? 1 : 0);
        scores.push_back(cell.row[i].score);
        exponentials.push_back(cell.row[i].exponential);
        weights.push_back(cell.row[i].weight);
    }
    return {.name = "row",
            .columns = {dataColumn("key", tokens), dataColumn("open", open), dataColumn("score", scores),
                        dataColumn("exponential", exponentials), dataColumn("weight", weights)}};
}

trace::DataTable cellOf(const analysis::CellArithmetic& cell) {
    return {
        .name = "cell",
        .columns = {
            dataColumn("number", QStringList{"query", "key", "dot", "scale", "distance", "score",
                                             "sum_of_exponentials", "weight", "shown_score", "shown_weight"}),
            dataColumn("value",
                       std::vector<double>{static_cast<double>(cell.query), static_cast<double>(cell.key),
                                           cell.dot, cell.scale.factor, cell.distance, cell.score, cell.sum,
                                           cell.weight, cell.shownScore, cell.shownWeight})}};
}

} // namespace

ArithmeticView::ArithmeticView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), parts_(new QSplitter(Qt::Horizontal, this)),
      scroll_(new QScrollArea(this)), words_(new QLabel(scroll_)), vectors_(new QTabWidget(this)),
      dimensions_(new ColumnTable(this)), row_(new ColumnTable(this)), stream_(new ColumnTable(this)),
      streamWords_(wrappedLabel(this)) {
    setAccessibleName(tr("Arithmetic of one cell"));
    words_->setObjectName("words");
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    words_->setMargin(8);
    words_->setToolTip(countingInWords());
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    scroll_->setWidget(words_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    dimensions_->setAccessibleName(tr("Dimensions of query, key and value"));
    row_->setAccessibleName(tr("Softmax over the row"));
    stream_->setAccessibleName(tr("Addition to the residual stream"));
    vectors_->setObjectName("vectors");
    vectors_->setDocumentMode(true);
    vectors_->addTab(dimensions_, tr("Head"));
    vectors_->setTabToolTip(0, tr("The vectors of the head, d_k numbers each"));
    auto* stream = new QWidget(vectors_);
    auto* streamColumn = new QVBoxLayout(stream);
    streamColumn->setContentsMargins(4, 4, 0, 0);
    streamColumn->addWidget(streamWords_);
    streamColumn->addWidget(stream_, 1);
    vectors_->addTab(stream, tr("Residual stream"));
    vectors_->setTabToolTip(1, tr("Addition to the residual stream, d_model numbers each"));
    vectors_->tabBar()->setAccessibleName(tr("Vectors"));
    for (QWidget* part : std::initializer_list<QWidget*>{scroll_, vectors_, row_})
        parts_->addWidget(part);
    parts_->setChildrenCollapsible(false);
    for (int i = 0; i < parts_->count(); ++i) {
        parts_->setStretchFactor(i, 1);
        parts_->widget(i)->setMinimumSize(200, 72);
    }
    parts_->setSizes({380, 420, 320});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSizeConstraint(QLayout::SetNoConstraint); // in a narrow view the parts are below each other
    column->addWidget(parts_);
    connect(parts_, &QSplitter::splitterMoved, this, [this] { partsMoved_ = true; });
    connect(selection_, &Selection::focusChanged, this, &ArithmeticView::follow);
    connect(selection_, &Selection::headChanged, this, &ArithmeticView::follow);
    connect(selection_, &Selection::stepChanged, this, &ArithmeticView::follow);
    follow();
}

/// Results of the previous run stay until there are new ones, so that nothing flickers.
void ArithmeticView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    if (!run_ || !isVisible())
        setRuns(nullptr, nullptr);
    else if (run_->complete && run_ != shown_ && !hasFigure())
        setRuns(run_, nullptr);
    Q_EMIT questionsChanged();
}

trace::Question ArithmeticView::projecting() const {
    auto request = analysis::shownRequest(*run_);
    request.paths = {request.paths.back()}; // the other paths take time and are not shown
    request.recording.projections = true;
    return {.request = std::move(request), .what = trace::RunWhat()};
}

std::optional<trace::Question> ArithmeticView::contributing() const {
    const auto row = rowOfCell();
    if (!row || row->run != run_)
        return std::nullopt;
    auto request = analysis::shownRequest(*run_);
    request.paths = {request.paths.back()};
    return trace::Question{.request = std::move(request),
                           .what = trace::ContributionsWhat{.head = row->head, .query = row->query}};
}

std::vector<trace::Wanted> ArithmeticView::questions() const {
    if (!run_ || !run_->complete)
        return {};
    std::vector<trace::Wanted> questions{projecting()};
    if (auto question = contributing())
        questions.emplace_back(*std::move(question));
    return questions;
}

void ArithmeticView::refresh() {
    const auto options = mapOptionsOf(*context().document);
    if (std::exchange(options_, options) != options && cell_) {
        viewCell();
        showCell();
    }
    if (wasHidden_ || !run_ || !run_->complete)
        return;
    refreshProjections();
    refreshContributions();
}

void ArithmeticView::refreshProjections() {
    const auto question = projecting();
    const auto projected = context().known->of(question.request, trace::RunWhat());
    const QString refusal = inWords(context().known->refusalOf(question));
    const bool isShown = shown_ == run_ && projected_ == projected && refusal_ == refusal;
    if ((projected || !refusal.isEmpty()) && !isShown)
        setRuns(run_, projected, refusal);
}

void ArithmeticView::refreshContributions() {
    const auto question = contributing();
    if (!question)
        return;
    auto known = context().known->of(question->request, std::get<trace::ContributionsWhat>(question->what));
    const auto refusal = context().known->refusalOf(*question);
    const QString why = !refusal                  ? QString()
                        : shown_->model->recorded ? tr("the addition to the residual stream needs the output "
                                                       "projection, which a trace does not contain.")
                                                  : inWords(refusal);
    if ((!known && !refusal) || (known == contributions_ && why == whyNoContributions_))
        return;
    contributionsOf_ = rowOfCell();
    contributions_ = std::move(known);
    whyNoContributions_ = why;
    showCell();
}

void ArithmeticView::showEvent(QShowEvent* event) {
    wasHidden_ = false;
    if (run_ && run_->complete && !shown_)
        setRuns(run_, nullptr);
    View::showEvent(event);
}

/// A hidden view keeps no second run and follows no cell.
void ArithmeticView::hideEvent(QHideEvent* event) {
    View::hideEvent(event);
    wasHidden_ = true;
    if (run_)
        setRuns(nullptr, nullptr);
}

std::optional<ArithmeticView::Row> ArithmeticView::rowOfCell() const {
    return cell_ ? std::optional(Row{shown_, cell_->head, cell_->query}) : std::nullopt;
}

void ArithmeticView::setRuns(std::shared_ptr<const trace::Run> shown,
                             std::shared_ptr<const trace::Run> projected, const QString& refusal) {
    shown_ = std::move(shown);
    projected_ = std::move(projected);
    refusal_ = refusal;
    follow();
}

void ArithmeticView::setSpaceMarksShown(bool shown) {
    row_->setSpaceMarksShown(shown);
}

std::optional<MapCell> ArithmeticView::chosenCell() {
    const auto head = selection_->head();
    const auto kind = head.site.kind;
    const auto* record = shown_ ? shown_->record(head.site) : nullptr;
    const auto h = static_cast<std::size_t>(head.head);
    if (!record || head.head < 0 || h >= record->heads() || record->queries() == 0 || record->keys() == 0)
        return std::nullopt;
    const TokenFocus lit =
        TokenFocus::cell(kind, selection_->focus().query(kind), selection_->focus().key(kind));
    if (!lit.isEmpty())
        lastLit_ = lit;
    MapCell cell{.row = lastLit_.query(kind).value_or(-1), .column = lastLit_.key(kind).value_or(-1)};
    if (!isWithin(cell.row, record->queries())) {
        const bool hasSteps = kind != trace::AttentionKind::EncoderSelf;
        cell.row = hasSteps ? std::clamp(selection_->step(), 0, static_cast<int>(record->queries()) - 1) : 0;
    }
    if (!isWithin(cell.column, record->keys()))
        cell.column = strongestKey(*record, h, static_cast<std::size_t>(cell.row));
    return cell;
}

void ArithmeticView::follow() {
    const auto chosen = chosenCell();
    headExists_ = chosen.has_value();
    cell_.reset();
    if (projected_ && chosen)
        cell_ = analysis::cellArithmetic(*shown_, *projected_, selection_->head(),
                                         static_cast<std::size_t>(chosen->row),
                                         static_cast<std::size_t>(chosen->column));
    parts_->setVisible(cell_.has_value());
    if (contributionsOf_ && contributionsOf_ != rowOfCell()) {
        contributionsOf_.reset();
        contributions_.reset();
        whyNoContributions_.clear();
    }
    if (cell_) {
        viewCell();
        showCell();
    }
    update();
    Q_EMIT questionsChanged();
}

void ArithmeticView::viewCell() {
    const analysis::WeightView view{.words = options_.words, .withoutSpecial = options_.withoutSpecial};
    viewed_.reset();
    if (view.words || view.withoutSpecial)
        viewed_ = analysis::viewedWeight(*shown_, *projected_, *cell_, view);
}

QStringList ArithmeticView::steps() const {
    QStringList steps = arithmeticInWords(*cell_, viewed_ ? &*viewed_ : nullptr);
    if (const QString other = otherQuantityInWords(options_.quantity); !other.isEmpty())
        steps.prepend(other);
    steps += addition_                       ? streamInWords(*addition_, contributions_->normAfter)
             : whyNoContributions_.isEmpty() ? tr("6. Residual stream: computing the output projection...")
                                             : tr("6. Residual stream: %1").arg(whyNoContributions_);
    return steps;
}

void ArithmeticView::showCell() {
    showAddition();
    const QString title = arithmeticTitle(*shown_, *cell_);
    words_->setText(title + QStringLiteral("\n\n") + steps().join(QStringLiteral("\n\n")));
    const int before = row_->leastWidth();
    showDimensions();
    showRow();
    if (row_->leastWidth() > before) // never for narrower rows, so that the parts do not jump within a run
        fitParts();
}

QString ArithmeticView::whyEmpty() const {
    if (!refusal_.isEmpty())
        return refusal_;
    if (!shown_)
        return hintForNoRun(*this);
    if (!headExists_)
        return whyNoHead(*shown_, selection_->head());
    if (const auto* record = shown_->record(selection_->head().site);
        projected_ && record && analysis::lacksScores(*record))
        return whyNoScores();
    else if (projected_ && record && !record->q.empty() &&
             !analysis::scoreScale(*projected_, record->q.columns()).isKnown)
        return whyNoScoreScale();
    return projected_ ? tr("This cell is masked: there is nothing to compute.")
                      : tr("Computing queries, keys and values of this run...");
}

void ArithmeticView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    if (cell_)
        return;
    painter.fillRect(rect(), theme.background);
    drawEmptyState(painter, QRectF(rect()),
                   tr("Shows the arithmetic of one cell: product, scale, mask, softmax, value, and the "
                      "addition to the residual stream."),
                   whyEmpty(), theme);
}

void ArithmeticView::resizeEvent(QResizeEvent*) {
    parts_->setOrientation(width() > height() && width() > 600 ? Qt::Horizontal : Qt::Vertical);
    fitParts();
}

std::optional<FigureBlocks> ArithmeticView::figureBlocks() const {
    if (!cell_)
        return std::nullopt;
    const FigureBlock bars{
        .size = shaped(0.5), .draw = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
            drawArithmetic(painter, area, *cell_, addition_ ? &*addition_ : nullptr, font(), theme);
        }};
    return FigureBlocks{.picture = stacked({wordsBlock(arithmeticTitle(*shown_, *cell_), font()), bars}),
                        .caption = steps().join('\n'),
                        .font = font()};
}

FigureText ArithmeticView::figureText() const {
    if (!cell_)
        return {};
    const QString head = address(cell_->head);
    return {.title = QStringLiteral("%1-%2-%3").arg(head).arg(cell_->query).arg(cell_->key),
            .caption = arithmeticTitle(*shown_, *cell_) + '\n' + steps().join('\n'),
            .provenance = provenance(*shown_),
            .head = head,
            .quantity = tr("%1, %2").arg(quantityName(Quantity::Scores), quantityName(Quantity::Weights))};
}

trace::FigureData ArithmeticView::figureData() const {
    if (!cell_)
        return {};
    trace::FigureData data{.tables = {cellOf(*cell_), dimensionsOf(*cell_), rowOf(*shown_, *cell_)}};
    if (addition_)
        data.tables.push_back(
            {.name = "residual_stream",
             .columns = {dataColumn("added", addition_->added), dataColumn("head", addition_->head)}});
    return data;
}

namespace {

using Numbers = std::vector<std::optional<double>>;

/// The name of each dimension.
TableColumn dimensionNames(std::size_t count) {
    TableColumn names{.title = ArithmeticView::tr("dim.")};
    for (std::size_t i = 0; i < count; ++i)
        names.texts += QString::number(i);
    return names;
}

template <class Value>
TableColumn barColumn(const QString& title, const QString& toolTip, const std::vector<Value>& values) {
    return {.title = title,
            .toolTip = toolTip,
            .numbers = Numbers(values.begin(), values.end()),
            .bars = TableColumn::Bars::Under};
}

} // namespace

QString ArithmeticView::turnedTip(const QString& tip) const {
    return cell_->isTurned ? tr("%1, rotated by its position").arg(tip) : tip;
}

void ArithmeticView::showDimensions() {
    dimensions_->setColumns(
        {dimensionNames(cell_->q.size()), barColumn(tr("q"), turnedTip(tr("The query")), cell_->q),
         barColumn(tr("k"), turnedTip(tr("The key")), cell_->k),
         barColumn(tr("q \u00D7 k"), tr("Their products, which add up to %1").arg(numberText(cell_->dot)),
                   cell_->products),
         barColumn(tr("v"), tr("The value"), cell_->v),
         barColumn(tr("w \u00D7 v"), tr("Weight times value: contribution of this key to the head's output"),
                   cell_->adds)});
}

void ArithmeticView::showRow() {
    using Bars = TableColumn::Bars;
    TableColumn scores{.title = tr("score"), .toolTip = tr("q \u00B7 k \u00D7 scale"), .bars = Bars::Under};
    TableColumn exponentials{.title = tr("exp"),
                             .toolTip = tr("exp(score \u2212 %1), which add up to %2; none for masked keys")
                                            .arg(numberText(cell_->largest), numberText(cell_->sum))};
    TableColumn weights{.title = tr("weight"), .toolTip = tr("Share of the sum"), .bars = Bars::Under};
    for (const auto& term : cell_->row) {
        scores.numbers.emplace_back(term.score);
        exponentials.numbers.push_back(term.open ? std::optional(term.exponential) : std::nullopt);
        weights.numbers.push_back(term.open ? std::optional(term.weight) : std::nullopt);
    }
    auto names = tokenLabels(shown_->keyTokens(cell_->head.site.kind));
    names.resize(cell_->row.size());
    row_->setColumns({{.title = tr("key"), .tokens = std::move(names)}, scores, exponentials, weights},
                     static_cast<int>(cell_->key));
}

/// Contributions of another row are not shown.
void ArithmeticView::showAddition() {
    const bool isOfRow =
        contributions_ && contributions_->head == cell_->head && contributions_->query == cell_->query;
    addition_ = isOfRow ? analysis::streamAddition(*contributions_, cell_->key) : std::nullopt;
    streamWords_->setVisible(addition_.has_value());
    if (addition_)
        streamWords_->setText(tr("Bold: dimension %1, which this key changes most.").arg(addition_->largest));
    if (!addition_)
        return stream_->setColumns({});
    stream_->setColumns(
        {dimensionNames(addition_->added.size()),
         barColumn(tr("key adds"), tr("Weight \u00D7 W_O v: contribution of this key to the residual stream"),
                   addition_->added),
         barColumn(tr("head"), tr("Contribution of all keys of the head"), addition_->head),
         barColumn(tr("sublayer"),
                   tr("Contribution of all heads and of the bias b_O, which belongs to no head"),
                   contributions_->sublayer),
         barColumn(tr("before"), tr("The residual stream before the addition"), contributions_->before)},
        static_cast<int>(addition_->largest));
}

/// Tables get the width they need, but at most two thirds; the text gets the rest.
void ArithmeticView::fitParts() {
    if (partsMoved_ || parts_->orientation() != Qt::Horizontal || !cell_)
        return;
    const int room = parts_->width() - 2 * parts_->handleWidth();
    const int vectors = dimensions_->leastWidth();
    const int row = row_->leastWidth();
    const int tables = std::min(vectors + row, room * 2 / 3);
    const int wide = tables * vectors / std::max(1, vectors + row);
    parts_->setSizes({room - tables, wide, tables - wide});
}

std::optional<PictureOptions> ArithmeticView::picture(PictureOptions options) const {
    options.view = "arithmetic"; // the explained cell, pinned or not
    if (cell_)
        options.cell = {static_cast<int>(cell_->query), static_cast<int>(cell_->key)};
    return options;
}

QStringList ArithmeticView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    if (cell_)
        parts += QStringLiteral("%1-%2").arg(cell_->query).arg(cell_->key);
    return parts;
}

void ArithmeticView::addChoices(ViewChoices& choices) {
    choices.add("arithmetic", "page", control<QTabWidget>(this, "vectors")->tabBar());
}

View* views::makers::arithmetic(Selection* selection, QWidget* parent) {
    return new ArithmeticView(selection, parent);
}

} // namespace headscope::widgets
