#include "widgets/branch_comparison.h"

#include "widgets/captions.h"
#include "widgets/importance_words.h"
#include "widgets/left_out_words.h"
#include "widgets/plain_text.h"
#include "widgets/token_delegate.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStyle>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::widgets {

namespace {

using trace::AttentionKind;

enum Column { FirstToken, FirstProbability, SecondToken, SecondProbability, Change, ColumnCount };

QString probabilityText(double logProbability) {
    return numberText(std::exp(logProbability));
}

/// Tokens along one axis of a branch's map. A cross row carries the token of the branch, chosen or forced.
std::vector<trace::Token> axisTokens(const trace::Run& run, const std::vector<analysis::TokenScore>& path,
                                     AttentionKind kind, bool keys) {
    if (kind != AttentionKind::Cross || keys)
        return keys ? run.keyTokens(kind) : run.queryTokens(kind);
    std::vector<trace::Token> tokens;
    for (const auto& score : path)
        tokens.push_back(score.token);
    return tokens;
}

} // namespace

BranchComparison::BranchComparison(QWidget* parent)
    : QWidget(parent), firstName_(new QComboBox(this)), secondName_(new QComboBox(this)),
      summary_(new QLabel(this)), table_(new QTableWidget(this)), map_(new DifferenceMap(this)) {
    setAccessibleName(tr("Comparison of two branches"));
    firstName_->setAccessibleName(tr("First branch"));
    secondName_->setAccessibleName(tr("Second branch"));
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    table_->setAccessibleName(tr("Tokens of both branches"));
    table_->setColumnCount(ColumnCount);
    table_->setHorizontalHeaderLabels(
        {tr("First"), tr("Probability"), tr("Second"), tr("Probability"), tr("Change")});
    table_->horizontalHeaderItem(Change)->setToolTip(
        tr("Probability in the second branch minus that in the first, where both have the same token"));
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setItemDelegate(new TokenDelegate(table_));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    auto* head = new QHBoxLayout;
    head->addWidget(firstName_);
    head->addWidget(new QLabel(tr("and"), this));
    head->addWidget(secondName_);
    head->addWidget(summary_, 1);
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->addWidget(table_);
    sides->addWidget(map_);
    sides->setChildrenCollapsible(false);
    sides->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->addLayout(head);
    column->addWidget(sides, 1);
    for (QComboBox* box : {firstName_, secondName_}) {
        box->setMinimumContentsLength(10);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::activated, this,
                [this] { Q_EMIT pairChosen(firstName_->currentIndex(), secondName_->currentIndex()); });
    }
    setNames({}, -1, -1);
    setRuns(nullptr, nullptr);
}

void BranchComparison::setNames(const QStringList& names, int first, int second) {
    for (auto [box, chosen] : {std::pair(firstName_, first), std::pair(secondName_, second)}) {
        const QSignalBlocker quiet(box);
        box->clear();
        box->addItems(names);
        box->setCurrentIndex(chosen);
        box->setEnabled(names.size() > 1);
        box->setToolTip(names.size() > 1 ? tr("Branch to compare") : tr("There is one branch only."));
    }
}

void BranchComparison::setRuns(std::shared_ptr<const trace::Run> first,
                               std::shared_ptr<const trace::Run> second) {
    first_ = std::move(first);
    second_ = std::move(second);
    const bool both = first_ && second_ && !first_->path.empty() && !second_->path.empty();
    compared_ = both ? analysis::comparePaths(first_->tree, first_->path.back(), second_->path.back())
                     : analysis::PathComparison();
    summary_->setText(summaryText());
    fillTable();
    fillMap();
}

void BranchComparison::setHead(trace::HeadAddress head) {
    head_ = head;
    fillMap();
}

void BranchComparison::setSpaceMarksShown(bool shown) {
    map_->setSpaceMarksShown(shown);
    static_cast<TokenDelegate*>(table_->itemDelegate())->spaceMarks = shown;
    table_->viewport()->update();
}

QString BranchComparison::summary() const {
    return summary_->text();
}

QString BranchComparison::nameOf(const QComboBox* box) const {
    return quoted({.text = box->currentText()});
}

QString BranchComparison::summaryText() const {
    const auto& [first, second, places, common] = compared_;
    if (first.empty() && second.empty())
        return whyNot_.isEmpty() ? tr("Choose another next token at any step: the branch it opens is set "
                                      "beside the first one here.")
                                 : whyNot_;
    if (common == first.size() && common == second.size())
        return tr("Both branches say the same.");
    const auto here = [&](const std::vector<analysis::TokenScore>& path) {
        return common < path.size() ? tr("%1 (%2)").arg(quoted(tokenLabel(path[common].token)),
                                                        probabilityText(path[common].logProbability))
                                    : tr("the end");
    };
    return tr("They part at token %1: %2 or %3.").arg(common + 1).arg(here(first), here(second));
}

void BranchComparison::setToken(int row, int column, const TokenLabel& label, bool same) {
    setNumber(row, column, label.full());
    auto* item = table_->item(row, column);
    item->setData(TokenDelegate::labelRole, QVariant::fromValue(label));
    item->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    QFont font = item->font();
    font.setBold(!same); // where the branches differ
    item->setFont(font);
}

void BranchComparison::setNumber(int row, int column, const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->setItem(row, column, item);
}

void BranchComparison::fillTable() {
    table_->setVisible(!compared_.places.empty());
    table_->clearContents();
    table_->setRowCount(static_cast<int>(compared_.places.size()));
    for (std::size_t i = 0; i < compared_.places.size(); ++i) {
        const auto& place = compared_.places[i];
        const int row = static_cast<int>(i);
        const auto side = [&](std::optional<std::size_t> at, const std::vector<analysis::TokenScore>& path,
                              int column) {
            if (at)
                setToken(row, column, tokenLabel(path[*at].token), place.same);
            setNumber(row, column + 1, at ? probabilityText(path[*at].logProbability) : QString());
        };
        side(place.first, compared_.first, FirstToken);
        side(place.second, compared_.second, SecondToken);
        // Before they part the same steps stand beside each other: there is no change to speak of.
        const bool later = place.same && i >= compared_.common;
        setNumber(row, Change,
                  later ? signedNumberText(std::exp(compared_.second[*place.second].logProbability) -
                                           std::exp(compared_.first[*place.first].logProbability))
                        : QString());
    }
    table_->resizeColumnsToContents();
    table_->setMinimumWidth(table_->horizontalHeader()->length() +
                            table_->verticalHeader()->sizeHint().width() +
                            table_->style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 8);
    if (compared_.common < compared_.places.size())
        table_->scrollTo(table_->model()->index(static_cast<int>(compared_.common), 0));
}

std::vector<TokenLabel> BranchComparison::labels(const std::vector<analysis::AlignedPlace>& places,
                                                 bool keys) const {
    const auto one = axisTokens(*first_, compared_.first, head_.site.kind, keys);
    const auto other = axisTokens(*second_, compared_.second, head_.site.kind, keys);
    const QString nothing = QStringLiteral("\u2013");
    std::vector<TokenLabel> labels;
    for (const auto& place : places) {
        if (place.same) {
            labels.push_back(tokenLabel(one.at(*place.first)));
            continue;
        }
        const QString left = place.first ? tokenLabel(one.at(*place.first)).text : nothing;
        const QString right = place.second ? tokenLabel(other.at(*place.second)).text : nothing;
        labels.push_back({.text = left + QStringLiteral(" | ") + right});
    }
    return labels;
}

void BranchComparison::fillMap() {
    MapDifferencePicture picture;
    if (!first_ || !second_) {
        picture.whyNot = tr("There are no two branches to compare.");
    } else if (head_.site.kind == AttentionKind::EncoderSelf) {
        picture.whyNot = tr("The encoder does not see the target: its maps are the same in every branch. "
                            "Choose a head of the decoder or of cross-attention (2 or 3).");
    } else {
        picture.map = analysis::compareMaps(compared_, *first_, *second_, head_);
        for (const auto* run : {first_.get(), second_.get()})
            if (picture.whyNot.isEmpty())
                picture.whyNot = whyLeftOut(*run, head_.site);
        if (picture.whyNot.isEmpty())
            picture.whyNot = tr("This model has no such head.");
    }
    if (!picture.map.values.empty()) {
        picture.rowLabels = labels(picture.map.rows, false);
        picture.columnLabels = labels(picture.map.columns, true);
        picture.title = tr("%1, difference").arg(QString::fromStdString(trace::toString(head_)));
        picture.caption = tr("%1: the weights of %2 minus those of %3. Orange: more in %2; blue: more in %3. "
                             "Hatched: masked, or "
                             "in one branch only. Largest difference %4.")
                              .arg(headTitle(*first_->model, head_), nameOf(secondName_), nameOf(firstName_),
                                   numberText(picture.map.largest));
        picture.provenance = provenance(*first_);
    }
    map_->setPicture(std::move(picture));
}

} // namespace headscope::widgets
