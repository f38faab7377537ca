#include "widgets/views/importance/importance_card.h"

#include "widgets/controls/card_head.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t mostHelpful = 8;
constexpr std::size_t mostHarmful = 4;

} // namespace

ImportanceCard::ImportanceCard(Selection* selection, QWidget* parent)
    : QWidget(parent), head_(new CardHead(tr("Heads"), {}, this)), column_(new QVBoxLayout(this)),
      verdict_(newPill(this)), pages_(new QStackedWidget(this)),
      table_(new ColumnTable(this, ColumnTable::NoRoom::Drop)),
      curve_(new ReadablePlot(tr("Removal curve"), this)), hint_(wrappedLabel(this)) {
    head_->add(verdict_);
    hint_->setAlignment(Qt::AlignCenter);
    table_->setAccessibleName(tr("Heads that help or hurt most"));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->followHeads(selection);
    table_->setAlternatingRowColors(false);
    table_->setFitted(true);
    auto* both = new QWidget(this);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(table_, 1);
    row->addWidget(curve_, 1);
    pages_->addWidget(both);
    pages_->addWidget(hint_);
    column_->setContentsMargins(space::m, space::s, space::m, space::s);
    column_->setSpacing(space::xs);
    column_->addWidget(head_);
    column_->addWidget(pages_, 1);
    connect(table_, &ColumnTable::rowEntered, this, [this](int at) {
        if (at == folded_)
            unfold(at);
        else
            Q_EMIT headEntered();
    });
    connect(table_, &QTableView::clicked, this, [this] { unfold(table_->currentRow().value_or(-1)); });
    connect(table_, &ColumnTable::rowDoubleClicked, this, [this](int at) {
        if (at != folded_)
            Q_EMIT headDoubleClicked(shown_.scores[listed_[at]].head);
    });
    connect(curve_, &ReadablePlot::markDescribed, this, &ImportanceCard::markDescribed);
}

void ImportanceCard::take(QComboBox* ablation, QLineEdit* sentence) {
    head_->add(ablation);
    column_->insertWidget(column_->indexOf(head_) + 1, sentence);
}

void ImportanceCard::setContent(Content content) {
    shown_ = std::move(content);
    head_->setSubtitle(tr("importance, %1 at a time", "one head off").arg(oneHeadRemoved(shown_.removed)));
    head_->setHelp(shown_.caption);
    verdict_->setText(shown_.verdict);
    verdict_->setVisible(!shown_.verdict.isEmpty());
    hint_->setText(shown_.hint);
    pages_->setCurrentIndex(shown_.scores.empty() ? 1 : 0);
    curve_->setPicture(shown_.curve);
    curve_->setVisible(shown_.curve != nullptr);
    showRows();
}

void ImportanceCard::unfold(int row) {
    if (row != folded_)
        return;
    isUnfolded_ = true;
    table_->setFitted(false);
    showRows();
}

void ImportanceCard::showRows() {
    const auto& scores = shown_.scores;
    const std::size_t ends = mostHelpful + mostHarmful;
    const bool isWhole = isUnfolded_ || scores.size() <= ends + 1;
    listed_.clear();
    folded_.reset();
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const bool isFirstBetween = !isWhole && i == mostHelpful;
        if (isFirstBetween)
            folded_ = listed_.size();
        if (isWhole || i <= mostHelpful || i >= scores.size() - mostHarmful)
            listed_.push_back(i);
    }
    TableColumn head{.title = headRemoved(shown_.removed)},
        bar{.title = tr("loses"), .bars = TableColumn::Bars::Alone},
        number{.title = {}, .atRight = true, .sample = QStringLiteral("+00.00")};
    TableContent content;
    for (const std::size_t i : listed_) {
        const bool isFold = folded_ && head.rows() == *folded_;
        const auto& score = scores[i];
        head.texts += isFold
                          ? tr("%1 between %2 and %3")
                                .arg(QString::number(scores.size() - ends), shortSignedText(score.importance),
                                     shortSignedText(scores[scores.size() - mostHarmful - 1].importance))
                          : address(score.head);
        bar.numbers.push_back(isFold ? std::nullopt : std::optional(score.importance));
        number.texts += isFold ? QString() : shortSignedText(score.importance);
        content.heads.push_back(score.head);
    }
    if (folded_)
        content.across.insert(*folded_);
    content.columns = {std::move(head), std::move(bar), std::move(number)};
    content.words = [scores, listed = listed_, folded = folded_, areNumbers = shown_.areNumbers](int row) {
        const std::size_t at = listed[row];
        return row == folded ? tr("Heads in between") : scoreInWords(scores[at], at + 1, areNumbers);
    };
    content.toolTip = [words = content.words, folded = folded_](int row, int) {
        return row == folded ? tr("Click to list all heads")
                             : words(row) + tr("\nDouble-click: switch it off or on");
    };
    table_->setContent(std::move(content));
}

FigureBlock ImportanceCard::block(const QFont& font) const {
    TableFigure figure = table_->figure();
    figure.font = font;
    if (!shown_.curve)
        return figure.block();
    FigureBlock both = beside({figure.block(), plotBlock(shown_.curve, font)}, {0.5, 0.5});
    // Narrower pages have it smaller.
    both.size = [size = both.size](double width) { return size(std::max(width, FigureBlocks::usualWidth)); };
    return both;
}

} // namespace headscope::widgets
