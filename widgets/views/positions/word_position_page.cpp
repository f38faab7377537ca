#include "widgets/views/positions/word_position_page.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/token_label.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/positions/share_bars.h"
#include "widgets/words/captions.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

WordPositionPage::WordPositionPage(QWidget* parent)
    : QWidget(parent), bars_(new ShareBars(this)), title_(wrappedLabel(this)),
      vectors_(new ColumnTable(this)), half_(new QWidget(this)),
      row_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    vectors_->setAccessibleName(tr("Word vector, position and their sum"));
    auto* column = new QVBoxLayout(half_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(title_);
    column->addWidget(vectors_, 1);
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(12);
    row_->addWidget(bars_, 3);
    row_->addWidget(half_, 2);
    connect(bars_, &ShareBars::cursorMoved, this, [this](std::optional<int> token) {
        if (token)
            showVectors(*token);
        Q_EMIT cursorMoved(token);
    });
    connect(bars_, &ShareBars::tokenDescribed, this, &WordPositionPage::tokenDescribed);
}

void WordPositionPage::setShares(const TokenShares& shares) {
    shares_ = shares;
    bars_->setShares(shares);
    showVectors(0);
    fit();
}

void WordPositionPage::showVectors(int token) {
    const std::size_t row = token;
    if (row >= shares_.embedding.sums.rows())
        return;
    const auto sums = shares_.embedding.sums.row(row);
    const auto positions = shares_.embedding.positions.row(row);
    TableColumn names{.title = tr("dim.")};
    TableColumn word{.title = tr("w"), .toolTip = tr("The scaled word vector")};
    TableColumn position{.title = tr("p"), .toolTip = tr("The position's vector")};
    TableColumn sum{.title = tr("w + p"), .toolTip = tr("Input of the first layer")};
    double longest = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        names.texts += QString::number(i);
        const double whole = sums[i], ofPosition = positions[i], ofWord = whole - ofPosition;
        sum.numbers.emplace_back(whole);
        position.numbers.emplace_back(ofPosition);
        word.numbers.emplace_back(ofWord);
        longest = std::max({longest, std::abs(whole), std::abs(ofPosition), std::abs(ofWord)});
    }
    for (TableColumn* each : {&word, &position, &sum}) {
        each->bars = TableColumn::Bars::Under;
        each->longest = longest;
    }
    vectors_->setColumns({std::move(names), std::move(word), std::move(position), std::move(sum)});
    title_->setText(tr("%1: word vector w, position p and their sum, by dimension")
                        .arg(quoted(tokenLabel(shares_.tokens, row))));
}

/// Side by side; below each other in a narrow view; only the shares in a low one.
void WordPositionPage::fit() {
    const int line = fontMetrics().height();
    const int numbers = vectors_->leastWidth();
    const bool isNarrow = width() < numbers + row_->spacing() + 20 * line;
    row_->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    half_->setMinimumWidth(isNarrow ? 0 : numbers);
    half_->setVisible(!shares_.embedding.sums.empty() && (!isNarrow || height() >= 18 * line));
}

void WordPositionPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void WordPositionPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void WordPositionPage::setSpaceMarksShown(bool shown) {
    bars_->setSpaceMarksShown(shown);
}

FigureBlock WordPositionPage::block(const FigureParts& parts) const {
    return bars_->block(parts);
}

} // namespace headscope::widgets
