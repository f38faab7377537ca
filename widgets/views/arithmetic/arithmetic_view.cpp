#include "widgets/views/arithmetic/arithmetic_view.h"

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/runs_beside.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/mask_words.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/table_column.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QRectF>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

struct ArithmeticFigureWords {
    Q_DECLARE_TR_FUNCTIONS(Arithmetic)
};

/// Vertical bars from a zero line in the middle, positive values up.
void drawBars(QPainter& painter, const QRectF& area, const std::vector<double>& values, double limit,
              const Theme& theme) {
    const double pitch = area.width() / static_cast<double>(std::max<std::size_t>(1, values.size()));
    const double zero = area.center().y();
    for (std::size_t i = 0; i < values.size() && limit > 0; ++i) {
        if (!std::isfinite(values[i]))
            continue;
        const double height = values[i] / limit * area.height() / 2;
        const QRectF bar(area.left() + static_cast<double>(i) * pitch + pitch * 0.1, zero, pitch * 0.8,
                         -height);
        painter.fillRect(bar.normalized(), height > 0 ? aboveZeroColour(theme) : belowZeroColour(theme));
    }
    painter.fillRect(QRectF(area.left(), zero - 0.5, area.width(), 1), theme.line);
}

/// Draws a signed bar for every dimension of q, k, their product, weight times v and the addition to the
/// residual stream, unless that is null: not known.
void drawArithmetic(QPainter& painter, const QRectF& area, const analysis::CellArithmetic& cell,
                    const analysis::StreamAddition* addition, const QFont& font, const Theme& theme) {
    const QFontMetricsF metrics(font);
    struct Band {
        QString name;
        const std::vector<double>* values;
    };
    std::vector<Band> bands{{ArithmeticFigureWords::tr("q"), &cell.q},
                            {ArithmeticFigureWords::tr("k"), &cell.k},
                            {ArithmeticFigureWords::tr("q \u00D7 k"), &cell.products},
                            {ArithmeticFigureWords::tr("weight \u00D7 v"), &cell.adds}};
    if (addition)
        bands.push_back({ArithmeticFigureWords::tr("weight \u00D7 W_O v"), &addition->added});
    const double height = area.height() / static_cast<double>(bands.size());
    const double left = metrics.horizontalAdvance(bands.back().name) + 12;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        double limit = 0;
        for (const double value : *bands[i].values)
            limit = std::isfinite(value) ? std::max(limit, std::abs(value)) : limit;
        const QRectF band(area.left(), area.top() + static_cast<double>(i) * height, area.width(), height);
        painter.setPen(theme.text);
        painter.drawText(band, Qt::AlignLeft | Qt::AlignVCenter, bands[i].name);
        const QRectF bars = band.adjusted(left, 4, 0, -metrics.height());
        drawBars(painter, bars, *bands[i].values, limit, theme);
        painter.setPen(theme.faintText);
        painter.drawText(band.adjusted(left, 0, 0, 0), Qt::AlignRight | Qt::AlignBottom,
                         ArithmeticFigureWords::tr("%1 dimensions, bars up to \u00B1%2")
                             .arg(QString::number(bands[i].values->size()), numberText(limit)));
    }
}

int strongestKey(const trace::AttentionRecord& record, std::size_t head, std::size_t query) {
    const auto row = analysis::headRow(record, head, query).weights;
    return std::ranges::max_element(row) - row.begin();
}

trace::DataTable dimensionsOf(const analysis::CellArithmetic& cell) {
    return {.name = "dimensions",
            .columns = {dataColumn("q", cell.q), dataColumn("k", cell.k),
                        dataColumn("product", cell.products), dataColumn("v", cell.v),
                        dataColumn("weight_times_v", cell.adds), dataColumn("output", cell.output)}};
}

trace::DataTable rowOf(const trace::Run& run, const analysis::CellArithmetic& cell) {
    using Term = analysis::KeyTerm;
    QStringList tokens;
    for (std::size_t key = 0; key < cell.row.size(); ++key)
        tokens += tokenLabel(run.keyTokens(cell.head.site.kind).at(key)).full();
    return {.name = "row",
            .columns = {dataColumn("key", tokens), dataColumn("open", cell.row, &Term::open),
                        dataColumn("score", cell.row, &Term::score),
                        dataColumn("exponential", cell.row, &Term::exponential),
                        dataColumn("weight", cell.row, &Term::weight)}};
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

using analysis::CellArithmetic;

struct ArithmeticWords {
    Q_DECLARE_TR_FUNCTIONS(Arithmetic)
};

QString scaleInWords(const CellArithmetic& cell) {
    const auto& scale = cell.scale;
    const int width = cell.q.size();
    QString where = scale.isInverseRoot ? ArithmeticWords::tr("1/\u221A%1").arg(width)
                    : scale.isChanged   ? ArithmeticWords::tr("by a what-if")
                                        : ArithmeticWords::tr("the model's own");
    if (scale.temperature != 1)
        where += ArithmeticWords::tr(", divided by the temperature %1").arg(scale.temperature);
    return where;
}

QString maskInWords(const CellArithmetic& cell) {
    if (!cell.closed)
        return ArithmeticWords::tr("allowed; the score is unchanged.");
    return ArithmeticWords::tr("%1.").arg(closedInWords(*cell.closed));
}

QString softmaxInWords(const CellArithmetic& cell) {
    const auto& term = cell.row.at(cell.key);
    const int open = std::ranges::count_if(cell.row, &analysis::KeyTerm::open);
    if (cell.rowIsClosed)
        return ArithmeticWords::tr("the whole row is masked, so all %1 keys get the same weight, %2.")
            .arg(QString::number(cell.row.size()), preciseText(cell.weight));
    if (!term.open)
        return ArithmeticWords::tr("a masked cell is not part of the sum over the allowed cells (sum %1, "
                                   "cells %2). Its weight is 0.")
            .arg(preciseText(cell.sum), QString::number(open));
    return ArithmeticWords::tr(
               "exp(%1 \u2212 %2) = %3, where %2 is the row's largest score; the %4 allowed keys "
               "sum to %5; %3 / %5 = %6, the weight.")
        .arg(preciseText(term.score), preciseText(cell.largest), preciseText(term.exponential),
             QString::number(open), preciseText(cell.sum), preciseText(term.exponential / cell.sum));
}

QString outputInWords(const CellArithmetic& cell) {
    const QString length = preciseText(analysis::length(cell.output));
    if (cell.factor == 0)
        return ArithmeticWords::tr("The sum over all keys would be the head's output, with norm %1; the head "
                                   "is off, so it writes 0 to the residual stream.")
            .arg(length);
    const QString output =
        ArithmeticWords::tr("The sum over all keys is the head's output, with norm %1").arg(length);
    if (cell.isReplaced)
        return ArithmeticWords::tr("%1. A what-if replaces this output.").arg(output);
    if (cell.factor != 1)
        return ArithmeticWords::tr("%1. A what-if multiplies this output by %2; the output projection writes "
                                   "the product to the residual stream.")
            .arg(output, preciseText(cell.factor));
    return ArithmeticWords::tr("%1, which the output projection writes to the residual stream.").arg(output);
}

/// " + 0.4000 (distance bias)"; empty if the model has none.
QString distanceInWords(double distance, bool isReadOff) {
    if (distance == 0)
        return {};
    const QString sign = distance < 0 ? QStringLiteral(" \u2212 ") : QStringLiteral(" + ");
    return sign + (isReadOff ? ArithmeticWords::tr("%1 (what the distance adds, derived from the score)")
                             : ArithmeticWords::tr("%1 (distance bias)"))
                      .arg(preciseText(std::abs(distance)));
}

/// ", capped by 50 tanh(x / 50)"; empty if the model has no cap.
QString capInWords(double cap) {
    return cap > 0 ? ArithmeticWords::tr(", capped by %1 tanh(x / %1)").arg(preciseText(cap)) : QString();
}

/// Equal within single precision.
bool isSame(double computed, double shown) {
    return std::abs(computed - shown) <= 1e-5 * std::max(1.0, std::abs(shown)) ||
           (std::isnan(computed) && std::isnan(shown));
}

QString sizeOf(double difference) {
    return QString::number(std::abs(difference), 'g', 2);
}

/// Compares with the model's weight, for a map that combines weights.
QString modelInWords(double computed, double ofModel) {
    if (computed == ofModel)
        return ArithmeticWords::tr("The model's weight is the same.");
    return isSame(computed, ofModel) ? ArithmeticWords::tr("The model's weight is the same to within %1.")
                                           .arg(sizeOf(computed - ofModel))
                                     : ArithmeticWords::tr("The model's weight is %1: a difference of %2.")
                                           .arg(preciseText(ofModel), sizeOf(computed - ofModel));
}

/// How the value of the map is combined from such weights; empty if it is the weight itself.
QString sharedOutInWords(const analysis::ViewedWeight& viewed) {
    QStringList ways;
    if (viewed.keyPieces > 1)
        ways += ArithmeticWords::tr("the %1 tokens of the key's word have %2 in total")
                    .arg(QString::number(viewed.keyPieces), preciseText(viewed.together));
    if (viewed.kept)
        ways += ArithmeticWords::tr(
                    "renormalising over the keys that are not special, which have %1 in total, gives %2")
                    .arg(preciseText(*viewed.kept),
                         preciseText(*viewed.kept == 0 ? viewed.together : viewed.together / *viewed.kept));
    if (viewed.queryPieces > 1)
        ways += ArithmeticWords::tr("the mean over the %1 tokens of the query's word is %2")
                    .arg(QString::number(viewed.queryPieces), preciseText(viewed.computed));
    return ways.join(ArithmeticWords::tr("; "));
}

QString viewedInWords(const CellArithmetic& cell, const analysis::ViewedWeight& viewed) {
    const QString ways = sharedOutInWords(viewed);
    if (ways.isEmpty() || viewed.isHidden)
        return differenceInWords(cell.weight, cell.shownWeight);
    QString words = modelInWords(cell.weight, cell.shownWeight) + ' ';
    if (!viewed.shown)
        return words +
               ArithmeticWords::tr("This cell is hatched in the map of weights because all of it is masked.");
    const double difference = viewed.computed - *viewed.shown;
    if (difference == 0)
        words += ArithmeticWords::tr("The map of weights shows the same value, %1: %2.");
    else if (isSame(viewed.computed, *viewed.shown))
        words += ArithmeticWords::tr("The map of weights shows %1, the same to within %3: %2.");
    else
        words += ArithmeticWords::tr("The map of weights shows %1, a difference of %3: %2.");
    words = words.arg(preciseText(*viewed.shown), ways);
    return difference == 0 ? words : words.arg(sizeOf(difference));
}

} // namespace

ArithmeticView::ArithmeticView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), parts_(new QSplitter(Qt::Horizontal, this)),
      scroll_(new QScrollArea(this)), words_(new QLabel(scroll_)), vectors_(new QTabWidget(this)),
      dimensions_(new ColumnTable(this)), row_(new ColumnTable(this)), stream_(new ColumnTable(this)),
      streamWords_(wrappedLabel(this)) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Numbers of one cell"));
    words_->setObjectName("words");
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    words_->setMargin(space::s);
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
    streamColumn->setContentsMargins(space::xs, space::xs, 0, 0);
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
    const auto* record = shown_ ? shown_->recordOf(head) : nullptr;
    const auto h = head.head;
    if (!record || record->queries() == 0 || record->keys() == 0)
        return std::nullopt;
    const TokenFocus lit =
        TokenFocus::cell(kind, selection_->focus().query(kind), selection_->focus().key(kind));
    if (!lit.isEmpty())
        lastLit_ = lit;
    const bool hasSteps = kind != trace::AttentionKind::EncoderSelf;
    const auto query = lastLit_.query(kind), key = lastLit_.key(kind);
    MapCell cell;
    if (query && *query < record->queries())
        cell.row = *query;
    else if (hasSteps)
        cell.row = std::min<std::size_t>(selection_->step(), record->queries() - 1);
    cell.column = key && *key < record->keys() ? static_cast<int>(*key) : strongestKey(*record, h, cell.row);
    return cell;
}

void ArithmeticView::follow() {
    const auto chosen = chosenCell();
    headExists_ = chosen.has_value();
    cell_.reset();
    if (projected_ && chosen)
        cell_ =
            analysis::cellArithmetic(*shown_, *projected_, selection_->head(), chosen->row, chosen->column);
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
    using Term = analysis::KeyTerm;
    using Bars = TableColumn::Bars;
    const auto ifOpen = [](double Term::*part) {
        return [part](const Term& term) { return term.open ? std::optional(term.*part) : std::nullopt; };
    };
    auto names = tokenLabels(shown_->keyTokens(cell_->head.site.kind));
    names.resize(cell_->row.size());
    row_->setColumns(
        {{.title = tr("key"), .tokens = std::move(names)},
         filled({.title = tr("score"), .toolTip = tr("q \u00B7 k \u00D7 scale"), .bars = Bars::Under},
                cell_->row, &Term::score),
         filled({.title = tr("exp"),
                 .toolTip = tr("exp(score \u2212 %1), which add up to %2; none for masked keys")
                                .arg(numberText(cell_->largest), numberText(cell_->sum))},
                cell_->row, ifOpen(&Term::exponential)),
         filled({.title = tr("weight"), .toolTip = tr("Share of the sum"), .bars = Bars::Under}, cell_->row,
                ifOpen(&Term::weight))},
        cell_->key);
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

QString arithmeticTitle(const trace::Run& run, const CellArithmetic& cell) {
    const auto kind = cell.head.site.kind;
    return ArithmeticWords::tr("%1: %2 \u2192 %3", "head, query, key")
        .arg(address(cell.head), queryInWords(run, kind, cell.query), keyInWords(run, kind, cell.key));
}

QString differenceInWords(double computed, double shown) {
    if (computed == shown || (std::isnan(computed) && std::isnan(shown)))
        return ArithmeticWords::tr("The map shows the same value.");
    const QString size = sizeOf(computed - shown);
    return isSame(computed, shown)
               ? ArithmeticWords::tr("The map shows the same value to within %1.").arg(size)
               : ArithmeticWords::tr("The map shows %1: a difference of %2.").arg(preciseText(shown), size);
}

QStringList arithmeticInWords(const CellArithmetic& cell, const analysis::ViewedWeight* viewed) {
    QStringList steps{ArithmeticWords::tr("1. Product: q \u00B7 k = %1, the sum of %2 products.")
                          .arg(preciseText(cell.dot), QString::number(cell.q.size())),
                      ArithmeticWords::tr("2. Scale: %1 \u00D7 %2 (%3)%4 = %5, the score. %6")
                          .arg(preciseText(cell.dot), preciseText(cell.scale.factor), scaleInWords(cell),
                               distanceInWords(cell.distance, cell.isDistanceReadOff) + capInWords(cell.cap),
                               preciseText(cell.score), differenceInWords(cell.score, cell.shownScore)),
                      ArithmeticWords::tr("3. Mask: %1").arg(maskInWords(cell)),
                      ArithmeticWords::tr("4. Softmax: %1").arg(softmaxInWords(cell))};
    if (cell.isForced)
        steps.back() +=
            ' ' + ArithmeticWords::tr("A what-if then replaces the row's weights; this weight is %1.")
                      .arg(preciseText(cell.weight));
    steps.back() +=
        ' ' + (viewed ? viewedInWords(cell, *viewed) : differenceInWords(cell.weight, cell.shownWeight));
    steps += ArithmeticWords::tr("5. Value: v has norm %1, weight \u00D7 v %2. %3")
                 .arg(preciseText(analysis::length(cell.v)), preciseText(analysis::length(cell.adds)),
                      outputInWords(cell));
    if (cell.isTurned)
        steps.front() +=
            ' ' + ArithmeticWords::tr(
                      "q and k are the query and key after the rotation by position (rotary positions).");
    if (viewed && viewed->isHidden)
        steps.prepend(ArithmeticWords::tr("The map hides this key because it is special. In these steps, "
                                          "\u201Cthe map\u201D means the map of all keys."));
    if (cell.factor == 0)
        steps.prepend(ArithmeticWords::tr("A what-if switches this head off. Steps 1 to 5 show what the head "
                                          "still computes; none of it is passed on."));
    return steps;
}

QString streamInWords(const analysis::StreamAddition& addition, trace::NormAfter norm) {
    const auto percent = [](double share) { return numberText(100 * share) + QStringLiteral(" %"); };
    QString words =
        addition.length == 0
            ? ArithmeticWords::tr("6. Residual stream: this key contributes nothing. Norms: all keys of the "
                                  "head %1, the whole sublayer %2, the stream before %3.")
                  .arg(preciseText(addition.lengthOfHead), preciseText(addition.lengthOfSublayer),
                       preciseText(addition.lengthBefore))
            : ArithmeticWords::tr(
                  "6. Residual stream: weight \u00D7 W_O v has norm %1, mostly in dimension %2 (%3). Norms: "
                  "all keys of the head %4, the whole sublayer %5, the stream before %6.")
                  .arg(preciseText(addition.length), QString::number(addition.largest),
                       preciseText(addition.added[addition.largest]), preciseText(addition.lengthOfHead),
                       preciseText(addition.lengthOfSublayer), preciseText(addition.lengthBefore));
    if (addition.share && addition.length > 0)
        words += ' ' + ArithmeticWords::tr(
                           "Projected onto the sublayer's output, the key makes up %1 of it and the head %2.")
                           .arg(percent(*addition.share), percent(*addition.shareOfHead));
    if (addition.cosine)
        words += ' ' + ArithmeticWords::tr("The cosine of key and sublayer output is %1.")
                           .arg(preciseText(*addition.cosine));
    if (addition.lengthOfBias > 0)
        words += ' ' + ArithmeticWords::tr("The bias b_O has norm %1 and belongs to no head%2.")
                           .arg(preciseText(addition.lengthOfBias),
                                addition.shareOfBias
                                    ? ArithmeticWords::tr(" and makes up %1 of it", "after: b_O belongs to "
                                                                                    "no head")
                                          .arg(percent(*addition.shareOfBias))
                                    : QString());
    if (norm == trace::NormAfter::OfTheSum)
        words +=
            ' ' + ArithmeticWords::tr("A norm layer follows and rescales the stream after all additions.");
    if (norm == trace::NormAfter::OfItAlone)
        words +=
            ' ' + ArithmeticWords::tr("A norm layer rescales the sublayer's output before the addition.");
    return words;
}

QString otherQuantityInWords(Quantity shown) {
    if (shown == Quantity::Weights || isScore(shown))
        return {};
    return ArithmeticWords::tr("The map currently shows %1. These steps explain the weight; in them, "
                               "\u201Cthe map\u201D means the map of scores or weights.")
        .arg(quantityName(shown));
}

} // namespace headscope::widgets
