#include "widgets/views/arithmetic/arithmetic_view.h"

#include "model/analysis/recomputed_map.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/arithmetic/arithmetic_figure.h"
#include "widgets/views/arithmetic/arithmetic_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/way_to_a_run.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

bool isWithin(int index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
}

int strongestKey(const trace::AttentionRecord& record, std::size_t head, std::size_t query) {
    const auto row = analysis::headRow(record, head, query).weights;
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

} // namespace

ArithmeticView::ArithmeticView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), parts_(new QSplitter(Qt::Horizontal, this)),
      scroll_(new QScrollArea(this)), words_(new QLabel(scroll_)), vectors_(new QTabWidget(this)),
      dimensions_(new NumbersTable(this)), row_(new NumbersTable(this)), stream_(new NumbersTable(this)),
      streamWords_(wrappedLabel(this)) {
    setAccessibleName(tr("How one cell is computed"));
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
    stream_->setAccessibleName(tr("What is added to the residual stream"));
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
    vectors_->setTabToolTip(1, tr("What is added to the residual stream, d_model numbers each"));
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
    column->setSizeConstraint(QLayout::SetNoConstraint); // narrow, the parts lie below each other
    column->addWidget(parts_);
    connect(parts_, &QSplitter::splitterMoved, this, [this] { partsMoved_ = true; });
    connect(selection_, &Selection::focusChanged, this, &ArithmeticView::follow);
    connect(selection_, &Selection::headChanged, this, &ArithmeticView::follow);
    connect(selection_, &Selection::stepChanged, this, &ArithmeticView::follow);
    follow();
}

void ArithmeticView::setRuns(std::shared_ptr<const trace::Run> shown,
                             std::shared_ptr<const trace::Run> projected) {
    shown_ = std::move(shown);
    projected_ = std::move(projected);
    refusal_.clear();
    follow();
}

void ArithmeticView::showRefusal(const trace::RefusalText& text) {
    setRuns(shown_, nullptr);
    refusal_ = QString::fromStdString(trace::paragraph(text));
    update();
}

void ArithmeticView::setContributions(std::shared_ptr<const trace::RowContributions> row) {
    contributions_ = std::move(row);
    whyNoContributions_.clear();
    if (cell_)
        showCell();
}

void ArithmeticView::setWhyNoContributions(const QString& why) {
    contributions_ = nullptr;
    whyNoContributions_ = why;
    if (cell_)
        showCell();
}

void ArithmeticView::setMapOptions(const MapOptions& options) {
    options_ = options;
    if (!cell_)
        return;
    viewCell();
    showCell();
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
    if (cell_) {
        viewCell();
        showCell();
    }
    update();
    Q_EMIT cellChanged();
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
    steps += addition_ ? streamInWords(*addition_, contributions_->normAfter)
             : whyNoContributions_.isEmpty()
                 ? tr("6. Residual stream: computing what the output projection makes of it...")
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
    if (row_->leastWidth() > before) // later the same run does not move them to and fro
        fitParts();
}

QString ArithmeticView::whyEmpty() const {
    if (!refusal_.isEmpty())
        return refusal_;
    if (!shown_)
        return wayToARun(*this);
    if (!headExists_)
        return whyNoHead(*shown_, selection_->head());
    if (const auto* record = shown_->record(selection_->head().site);
        projected_ && record && analysis::lacksScores(*record))
        return whyNoScores();
    else if (projected_ && record && !record->q.empty() &&
             !analysis::scoreScale(*projected_, record->q.columns()).isKnown)
        return whyNoScoreScale();
    return projected_ ? tr("The mask closes what is pointed at: there is no cell to compute.")
                      : tr("Computing queries, keys and values of this run...");
}

void ArithmeticView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    if (cell_)
        return;
    painter.fillRect(rect(), theme.background);
    drawEmptyState(
        painter, QRectF(rect()),
        tr("Here stands how one cell is computed: product, scale, mask, softmax, value, and what it "
           "adds to the residual stream."),
        whyEmpty(), theme);
}

void ArithmeticView::resizeEvent(QResizeEvent*) {
    parts_->setOrientation(width() > height() && width() > 600 ? Qt::Horizontal : Qt::Vertical);
    fitParts();
}

/// Bars are as high without the steps below them as with them.
QSize ArithmeticView::figureSize() const {
    constexpr QSize whole(800, 560);
    if (figureParts().caption || !cell_)
        return whole;
    return whole - QSize(0, static_cast<int>(arithmeticStepsHeight(steps(), whole.width(), font())));
}

void ArithmeticView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF area(QPointF(0, 0), QSizeF(size));
    painter.fillRect(area, theme.background);
    if (cell_)
        drawArithmeticFigure(painter, area,
                             {.title = arithmeticTitle(*shown_, *cell_),
                              .steps = figureParts().caption ? steps() : QStringList(),
                              .cell = *cell_,
                              .addition = addition_ ? &*addition_ : nullptr},
                             font(), theme);
}

FigureText ArithmeticView::figureText() const {
    if (!cell_)
        return {};
    const QString head = QString::fromStdString(trace::toString(cell_->head));
    return {.title = QStringLiteral("%1-%2-%3").arg(head).arg(cell_->query).arg(cell_->key),
            .caption = arithmeticTitle(*shown_, *cell_) + '\n' + steps().join('\n'),
            .provenance = provenance(*shown_),
            .head = head,
            .quantity = tr("%1, %2").arg(quantityName(Quantity::Scores), quantityName(Quantity::Weights))};
}

} // namespace headscope::widgets
