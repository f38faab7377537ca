// The numbers beside the words.
#include "widgets/views/arithmetic/arithmetic_view.h"

#include "widgets/tables/numbers_table.h"
#include "widgets/words/captions.h"

#include <QLabel>
#include <QSplitter>

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

std::vector<TokenLabel> numbered(std::size_t count) {
    std::vector<TokenLabel> names;
    for (std::size_t i = 0; i < count; ++i)
        names.push_back({.text = QString::number(i)});
    return names;
}

} // namespace

QString ArithmeticView::turnedTip(const QString& tip) const {
    return cell_->isTurned ? tr("%1, turned by its place").arg(tip) : tip;
}

void ArithmeticView::showDimensions() {
    dimensions_->setColumns(
        tr("dim."), NumbersTable::Names::Numbers, numbered(cell_->q.size()),
        {{.title = tr("q"), .toolTip = turnedTip(tr("The query")), .values = cell_->q, .bars = true},
         {.title = tr("k"), .toolTip = turnedTip(tr("The key")), .values = cell_->k, .bars = true},
         {.title = tr("q \u00D7 k"),
          .toolTip = tr("Their products, which add up to %1").arg(numberText(cell_->dot)),
          .values = cell_->products,
          .bars = true},
         {.title = tr("v"), .toolTip = tr("The value"), .values = cell_->v, .bars = true},
         {.title = tr("w \u00D7 v"),
          .toolTip = tr("Weight times value: what this key adds to the head's output"),
          .values = cell_->adds,
          .bars = true}});
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

/// Of another row's contributions nothing is shown.
void ArithmeticView::showAddition() {
    const bool isOfRow =
        contributions_ && contributions_->head == cell_->head && contributions_->query == cell_->query;
    addition_ = isOfRow ? analysis::streamAddition(*contributions_, cell_->key) : std::nullopt;
    streamWords_->setVisible(addition_.has_value());
    if (addition_)
        streamWords_->setText(tr("Bold: dimension %1, which this key changes most.").arg(addition_->largest));
    if (!addition_)
        return stream_->setColumns(tr("dim."), NumbersTable::Names::Numbers, {}, {});
    const auto doubles = [](const std::vector<float>& values) {
        return std::vector<double>(values.begin(), values.end());
    };
    stream_->setColumns(tr("dim."), NumbersTable::Names::Numbers, numbered(addition_->added.size()),
                        {{.title = tr("key adds"),
                          .toolTip = tr("Weight \u00D7 W_O v: what this key adds to the residual stream"),
                          .values = addition_->added,
                          .bars = true},
                         {.title = tr("head"),
                          .toolTip = tr("What all keys of the head add"),
                          .values = addition_->head,
                          .bars = true},
                         {.title = tr("sublayer"),
                          .toolTip = tr("What all heads and the bias b_O add, which belongs to no head"),
                          .values = doubles(contributions_->sublayer),
                          .bars = true},
                         {.title = tr("before"),
                          .toolTip = tr("The residual stream that this is added to"),
                          .values = doubles(contributions_->before),
                          .bars = true}},
                        static_cast<int>(addition_->largest));
}

/// Tables as wide as they need be, the words as wide as is left: less than a third only where there is none.
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

} // namespace headscope::widgets
