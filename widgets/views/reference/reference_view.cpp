#include "widgets/views/reference/reference_view.h"

#include "model/trace/run_path.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/text_limit.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/table_figure.h"
#include "widgets/tables/token_delegate.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

enum ReferenceRow { ReferencePiece, ReferenceProbability, ReferenceRank, ReferenceSum, ReferenceRows };

/// Draws a bar at the bottom of the cell, as long as the probability.
class ProbabilityDelegate : public TokenDelegate {
  public:
    using TokenDelegate::TokenDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        TokenDelegate::paint(painter, option, index);
        if (index.row() != ReferenceProbability)
            return;
        const Theme& theme = themeOf(option.palette);
        const double probability = index.data(Qt::UserRole).toDouble();
        if (std::isnan(probability))
            return;
        const QRectF room = QRectF(option.rect).adjusted(4, 0, -4, -1);
        const bool selected = option.state & QStyle::State_Selected;
        painter->fillRect(
            QRectF(room.left(), room.bottom() - 3, std::max(1.0, room.width() * probability), 3),
            selected ? theme.onAccent : theme.accent);
    }
};

/// A trace may not contain the value.
QString known(double value, const QString& otherwise = QStringLiteral("\u2013")) {
    return std::isnan(value) ? otherwise : numberText(value);
}

QString rankText(const analysis::TokenScore& score) {
    return score.rank ? QString::number(*score.rank + 1) : QStringLiteral("\u2013");
}

QString rankInWords(const analysis::TokenScore& score) {
    if (!score.rank)
        return ReferenceView::tr("rank not recorded");
    const QString better = *score.rank == 0
                               ? ReferenceView::tr("the model's own choice")
                               : ReferenceView::tr("%n tokens were more probable", nullptr, *score.rank);
    return ReferenceView::tr("rank %1: %2").arg(rankText(score), better);
}

QString tokenInWords(const analysis::TokenScore& score, std::size_t place) {
    const QString none = ReferenceView::tr("not recorded");
    return ReferenceView::tr("Token %1: %2, probability %3, %4. Log-probability up to here %5")
        .arg(QString::number(place + 1), exactly(tokenLabel(score.token)),
             known(std::exp(score.logProbability), none), rankInWords(score), known(score.sum, none));
}

/// The number of tokens that the model would have chosen itself, as far as it is known.
QString ownChoices(const std::vector<analysis::TokenScore>& scores) {
    using Rank = std::optional<std::int64_t>;
    const auto unknown = std::ranges::count(scores, Rank(), &analysis::TokenScore::rank);
    if (unknown == std::ssize(scores))
        return ReferenceView::tr("Which tokens were the model's own choice is not recorded.");
    const auto own = ReferenceView::tr("%1 of %2 tokens were the model's own choice.")
                         .arg(std::ranges::count(scores, Rank(0), &analysis::TokenScore::rank))
                         .arg(std::ssize(scores) - unknown);
    return unknown == 0 ? own
                        : own + ' ' + ReferenceView::tr("The ranks of the other tokens are not recorded.");
}

} // namespace

View* views::makers::reference(Selection* selection, QWidget* parent) {
    return new ReferenceView(selection, parent);
}

ReferenceView::ReferenceView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), line_(new QLineEdit(this)),
      force_(new QPushButton(tr("Force"), this)), summary_(new QLabel(this)), table_(new QTableWidget(this)) {
    line_->setAccessibleName(tr("Translation to force"));
    limitText(line_, SentenceEdit::longestSentence);
    force_->setToolTip(tr("Force this translation on the model, token by token (Enter)"));
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    table_->setAccessibleName(tr("Scores of the forced translation"));
    table_->setRowCount(ReferenceRows);
    table_->setVerticalHeaderLabels(
        {tr("Token"), tr("Probability"), tr("Rank"), tr("Total log-probability")});
    table_->verticalHeaderItem(ReferenceRank)->setToolTip(tr("1: no token was more probable"));
    table_->verticalHeaderItem(ReferenceSum)
        ->setToolTip(tr("Total log-probability of the translation up to this token"));
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 10);
    table_->horizontalHeader()->hide();
    table_->setMaximumHeight(ReferenceRows * table_->verticalHeader()->defaultSectionSize() +
                             table_->style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 4);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setMinimumSectionSize(64);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectColumns);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setItemDelegate(new ProbabilityDelegate(table_));
    table_->installEventFilter(this);
    auto* row = new QHBoxLayout;
    row->addWidget(line_, 1);
    row->addWidget(force_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->addLayout(row);
    column->addWidget(summary_);
    column->addWidget(table_, 1);
    column->addStretch();
    connect(line_, &QLineEdit::returnPressed, this, &ReferenceView::submit);
    connect(force_, &QPushButton::clicked, this, &ReferenceView::submit);
    connect(table_, &QTableWidget::cellClicked, this, [this](int, int at) { goTo(at); });
    connect(selection, &Selection::stepChanged, this, &ReferenceView::followStep);
    refresh();
}

void ReferenceView::refresh() {
    const auto& run = context().document->branches.run;
    if (run && run == run_)
        return;
    run_ = run;
    const bool readsText = !run_ || !run_->model || !run_->model->tokenizer.empty();
    line_->setPlaceholderText(readsText ? tr("A translation to check, such as one a person wrote")
                                        : tr("Target ids, such as 5 6 7; the start token is added"));
    const auto path = ownPath();
    setScores(path ? analysis::referenceScores(*run_, run_->paths[*path])
                   : std::vector<analysis::TokenScore>());
    followStep();
}

std::optional<std::size_t> ReferenceView::ownPath() const {
    return run_ ? analysis::referencePath(*run_) : std::nullopt;
}

QString ReferenceView::whyNot(const std::string&) const {
    const auto& run = context().document->run;
    if (!run)
        return tr("There is nothing decoded yet. %1").arg(hintForNoRun(*this));
    return run->model ? whyNothingRuns(*run->model) : QString();
}

QWidget* ReferenceView::takesKeys() const {
    return line_;
}

void ReferenceView::submit() {
    if (!line_->text().trimmed().isEmpty())
        Q_EMIT intended(intents::ForceTarget{line_->text().trimmed().toStdString()});
}

void ReferenceView::setScores(std::vector<analysis::TokenScore> scores) {
    scores_ = std::move(scores);
    table_->setVisible(!scores_.empty());
    if (scores_.empty()) {
        summary_->setText(tr("How probable is another translation in this model? %1")
                              .arg(isModelMissing(*this)
                                       ? hintForNoRun(*this)
                                       : tr("Type a translation and press Enter: each token is listed with "
                                            "its probability and rank.")));
    } else {
        const QString sums =
            std::isnan(scores_.back().sum)
                ? tr("Log-probabilities are not recorded for all tokens.")
                : tr("Log-probability %1 in total, %2 per token.")
                      .arg(numberText(scores_.back().sum), numberText(analysis::meanLogProbability(scores_)));
        summary_->setText(sums + ' ' + ownChoices(scores_));
    }
    fillTable();
}

QString ReferenceView::summary() const {
    return summary_->text();
}

void ReferenceView::fillTable() {
    table_->setColumnCount(scores_.size());
    for (std::size_t i = 0; i < scores_.size(); ++i) {
        const auto& score = scores_[i];
        const TokenLabel label = tokenLabel(score.token);
        const double probability = std::exp(score.logProbability);
        const std::array<QString, ReferenceRows> texts{label.full(), known(probability), rankText(score),
                                                       known(score.sum)};
        for (int row = 0; row < ReferenceRows; ++row) {
            auto* item = new QTableWidgetItem(texts[row]);
            item->setTextAlignment(Qt::AlignCenter);
            item->setToolTip(plainToolTip(tokenInWords(score, i)));
            item->setData(Qt::AccessibleTextRole, tokenInWords(score, i));
            item->setData(Qt::UserRole, probability);
            if (row == ReferencePiece)
                item->setData(TokenDelegate::labelRole, QVariant::fromValue(label));
            QFont font = item->font();
            font.setBold(row == ReferenceRank &&
                         score.rank.value_or(0) > 0); // the model would have chosen another token
            item->setFont(font);
            table_->setItem(row, static_cast<int>(i), item);
        }
    }
}

std::optional<FigureBlocks> ReferenceView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    using Score = analysis::TokenScore;
    const auto token = [](const Score& score) { return tokenLabel(score.token); };
    const auto probability = [](const Score& score) { return known(std::exp(score.logProbability)); };
    const auto sum = [](const Score& score) { return known(score.sum); };
    const TableFigure figure{
        .columns = {filled({.title = tr("Token")}, scores_, token),
                    filled({.title = tr("Probability"), .atRight = true}, scores_, probability),
                    filled({.title = tr("Rank"), .atRight = true}, scores_, rankText),
                    filled({.title = tr("Total log-probability"), .atRight = true}, scores_, sum)},
        .caption = figureText().caption,
        .font = font(),
        .spaceMarks = static_cast<const ProbabilityDelegate*>(table_->itemDelegate())->spaceMarks,
        .parts = figureParts()};
    return figure.blocks();
}

FigureText ReferenceView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Forced path"),
            .caption = tr("Scores of each token of a forced translation. ") + summary(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .quantity = tr("log-probability")};
}

trace::FigureData ReferenceView::figureData() const {
    if (!hasFigure())
        return {};
    using Score = analysis::TokenScore;
    const auto token = [](const Score& score) { return tokenLabel(score.token).full(); };
    const auto id = [](const Score& score) { return score.token.id; };
    const auto rank = [](const Score& score) {
        return score.rank ? std::optional<double>(*score.rank + 1) : std::nullopt;
    };
    return {.tables = {
                {.name = "reference",
                 .columns = {dataColumn("token", scores_, token), dataColumn("id", scores_, id),
                             dataColumn("log_probability", scores_, &Score::logProbability),
                             dataColumn("rank", scores_, rank), dataColumn("sum", scores_, &Score::sum)}}}};
}

/// Marks the current row where the reference is the shown path.
void ReferenceView::followStep() {
    const auto path = ownPath();
    if (path && trace::shownPath(*run_) == path && selection_->step() < table_->columnCount())
        table_->selectColumn(selection_->step());
    else
        table_->clearSelection();
}

void ReferenceView::goTo(int step) {
    if (const auto path = ownPath())
        Q_EMIT intended(intents::ShowPath{*path, step});
}

void ReferenceView::setSpaceMarksShown(bool shown) {
    static_cast<ProbabilityDelegate*>(table_->itemDelegate())->spaceMarks = shown;
    table_->viewport()->update();
}

bool ReferenceView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress && table_->currentColumn() >= 0) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            goTo(table_->currentColumn());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

std::optional<PictureOptions> ReferenceView::picture(PictureOptions) const {
    return ofTheWhole("reference");
}

} // namespace headscope::widgets
