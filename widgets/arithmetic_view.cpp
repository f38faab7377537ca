#include "widgets/arithmetic_view.h"

#include "widgets/arithmetic_figure.h"
#include "widgets/arithmetic_words.h"
#include "widgets/captions.h"
#include "widgets/empty_state.h"
#include "widgets/numbers_table.h"
#include "widgets/theme.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

std::vector<TokenLabel> numbered(std::size_t count) {
    std::vector<TokenLabel> names;
    for (std::size_t i = 0; i < count; ++i)
        names.push_back({.text = QString::number(i + 1)});
    return names;
}

bool isWithin(int index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
}

int strongestKey(trace::MatrixView weights, int query) {
    const auto row = weights.row(static_cast<std::size_t>(query));
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

} // namespace

ArithmeticView::ArithmeticView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), parts_(new QSplitter(Qt::Horizontal, this)),
      scroll_(new QScrollArea(this)), words_(new QLabel(scroll_)), dimensions_(new NumbersTable(this)),
      row_(new NumbersTable(this)) {
    setAccessibleName(tr("How one cell is computed"));
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    words_->setMargin(8);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    scroll_->setWidget(words_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    dimensions_->setAccessibleName(tr("Dimensions of query, key and value"));
    row_->setAccessibleName(tr("Softmax over the row"));
    parts_->addWidget(scroll_);
    parts_->addWidget(dimensions_);
    parts_->addWidget(row_);
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

void ArithmeticView::setSpaceMarksShown(bool shown) {
    row_->setSpaceMarksShown(shown);
}

std::optional<MapCell> ArithmeticView::chosenCell() {
    const auto head = selection_->head();
    const auto kind = head.site.kind;
    const auto* record = shown_ ? shown_->record(head.site) : nullptr;
    const auto h = static_cast<std::size_t>(head.head);
    if (!record || head.head < 0 || h >= record->weights.heads() || record->weights.head(h).empty())
        return std::nullopt;
    const auto weights = record->weights.head(h);
    const TokenFocus lit =
        TokenFocus::cell(kind, selection_->focus().query(kind), selection_->focus().key(kind));
    if (!lit.isEmpty())
        lastLit_ = lit;
    MapCell cell{.row = lastLit_.query(kind).value_or(-1), .column = lastLit_.key(kind).value_or(-1)};
    if (!isWithin(cell.row, weights.rows())) {
        const bool hasSteps = kind != trace::AttentionKind::EncoderSelf;
        cell.row = hasSteps ? std::clamp(selection_->step(), 0, static_cast<int>(weights.rows()) - 1) : 0;
    }
    if (!isWithin(cell.column, weights.columns()))
        cell.column = strongestKey(weights, cell.row);
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
    if (cell_)
        showCell();
    update();
}

void ArithmeticView::showCell() {
    const QString title = arithmeticTitle(*shown_, *cell_);
    words_->setText(title + QStringLiteral("\n\n") + arithmeticInWords(*cell_).join(QStringLiteral("\n\n")));
    dimensions_->setColumns(tr("dim."), NumbersTable::Names::Numbers, numbered(cell_->q.size()),
                            {{.title = tr("q"), .toolTip = tr("The query"), .values = cell_->q, .bars = true},
                             {.title = tr("k"), .toolTip = tr("The key"), .values = cell_->k, .bars = true},
                             {.title = tr("q \u00D7 k"),
                              .toolTip = tr("Their products, which add up to %1").arg(numberText(cell_->dot)),
                              .values = cell_->products,
                              .bars = true},
                             {.title = tr("v"), .toolTip = tr("The value"), .values = cell_->v, .bars = true},
                             {.title = tr("w \u00D7 v"),
                              .toolTip = tr("Weight times value: what this key adds to the head's output"),
                              .values = cell_->adds,
                              .bars = true}});
    showRow();
}

void ArithmeticView::showRow() {
    std::vector<double> scores, exponentials, weights;
    std::vector<bool> closed;
    for (const auto& term : cell_->row) {
        scores.push_back(term.score);
        exponentials.push_back(term.exponential);
        weights.push_back(term.weight);
        closed.push_back(!term.open);
    }
    auto names = tokenLabels(shown_->keyTokens(cell_->head.site.kind));
    names.resize(cell_->row.size());
    row_->setColumns(
        tr("key"), NumbersTable::Names::Tokens, std::move(names),
        {{.title = tr("score"), .toolTip = tr("q \u00B7 k \u00D7 scale"), .values = scores, .bars = true},
         {.title = tr("exp"),
          .toolTip = tr("exp(score \u2212 %1), which add up to %2; none where the mask is closed")
                         .arg(numberText(cell_->largest), numberText(cell_->sum)),
          .values = exponentials,
          .empty = closed},
         {.title = tr("weight"),
          .toolTip = tr("Its part of the sum"),
          .values = weights,
          .bars = true,
          .empty = closed}},
        static_cast<int>(cell_->key));
}

QString ArithmeticView::whyEmpty() const {
    if (!refusal_.isEmpty())
        return refusal_;
    if (!shown_)
        return tr("Type a sentence and press Enter to decode it.");
    if (!headExists_)
        return tr("This model has no head %1. Choose another one in the overview or with the arrow keys.")
            .arg(QString::fromStdString(trace::toString(selection_->head())));
    return tr("Computing queries, keys and values of this run...");
}

void ArithmeticView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    if (cell_)
        return;
    painter.fillRect(rect(), theme.background);
    drawEmptyState(painter, QRectF(rect()),
                   tr("Here stands how one cell is computed: product, scale, mask, softmax and value."),
                   whyEmpty(), theme);
}

void ArithmeticView::resizeEvent(QResizeEvent*) {
    parts_->setOrientation(width() > height() && width() > 600 ? Qt::Horizontal : Qt::Vertical);
}

void ArithmeticView::drawFigure(QPainter& painter, QSize size) const {
    const QRectF area(QPointF(0, 0), QSizeF(size));
    painter.fillRect(area, lightTheme().background);
    if (cell_)
        drawArithmeticFigure(painter, area, arithmeticTitle(*shown_, *cell_), *cell_, font(), lightTheme());
}

FigureText ArithmeticView::figureText() const {
    if (!cell_)
        return {};
    const QString title = QStringLiteral("%1-%2-%3")
                              .arg(QString::fromStdString(trace::toString(cell_->head)))
                              .arg(cell_->query)
                              .arg(cell_->key);
    return {.title = title,
            .caption = arithmeticTitle(*shown_, *cell_) + '\n' + arithmeticInWords(*cell_).join('\n'),
            .provenance = provenance(*shown_)};
}

} // namespace headscope::widgets
