#include "widgets/views/reference/reference_view.h"

#include "model/trace/run_path.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/text_limit.h"
#include "widgets/drawing/spacing.h"
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
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

/// A trace may not contain the value.
QString known(double value, const QString& otherwise = QStringLiteral("\u2013")) {
    return std::isnan(value) ? otherwise : numberText(value);
}

QString rankText(const analysis::TokenScore& score) {
    return score.rank ? QString::number(*score.rank + 1) : QStringLiteral("\u2013");
}

/// The number of tokens that the model would have chosen itself, as far as it is known.
QString ownChoices(const std::vector<analysis::TokenScore>& scores) {
    using Rank = std::optional<std::int64_t>;
    const auto unknown = std::ranges::count(scores, Rank(), &analysis::TokenScore::rank);
    if (unknown == std::ssize(scores))
        return ReferenceView::tr("Not recorded: which tokens the model itself would have chosen.");
    const auto own = ReferenceView::tr("Tokens that the model itself would have chosen: %1 of %2.")
                         .arg(std::ranges::count(scores, Rank(0), &analysis::TokenScore::rank))
                         .arg(std::ssize(scores) - unknown);
    return unknown == 0 ? own
                        : own + ' ' + ReferenceView::tr("The ranks of the other tokens are not recorded.");
}

} // namespace

View* views::makers::reference(Selection*, QWidget* parent) {
    return new ReferenceView(parent);
}

ReferenceView::ReferenceView(QWidget* parent)
    : View(parent), line_(new QLineEdit(this)), force_(new QPushButton(tr("Force"), this)),
      result_(new QLabel(this)) {
    setAccessibleName(tr("Force a translation"));
    line_->setAccessibleName(tr("Translation to force"));
    limitText(line_, SentenceEdit::longestSentence);
    force_->setToolTip(tr("Force this translation on the model, token by token (Enter)"));
    result_->setWordWrap(true);
    result_->setTextFormat(Qt::PlainText);
    result_->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout;
    row->addWidget(result_, 1);
    row->addWidget(force_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::xs, space::s, space::s);
    column->addWidget(line_);
    column->addLayout(row);
    connect(line_, &QLineEdit::returnPressed, this, &ReferenceView::submit);
    connect(force_, &QPushButton::clicked, this, &ReferenceView::submit);
    setScores({});
}

void ReferenceView::refresh() {
    const auto& run = context().document->branches.run;
    if (run && run == run_)
        return;
    run_ = run;
    const bool readsText = !run_ || !run_->model || !run_->model->tokenizer.empty();
    line_->setPlaceholderText(readsText ? tr("Another translation")
                                        : tr("Target ids, such as 5 6 7; the start token is added"));
    const auto path = ownPath();
    setScores(path ? analysis::referenceScores(*run_, run_->paths[*path])
                   : std::vector<analysis::TokenScore>());
}

std::optional<std::size_t> ReferenceView::ownPath() const {
    return run_ ? analysis::referencePath(*run_) : std::nullopt;
}

QString ReferenceView::whyNot(const std::string&) const {
    const auto& run = context().document->run;
    if (!run)
        return tr("Nothing is decoded yet. %1").arg(hintForNoRun(*this));
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
    using Rank = std::optional<std::int64_t>;
    scores_ = std::move(scores);
    const auto own = std::ranges::count(scores_, Rank(0), &analysis::TokenScore::rank);
    const auto unknown = std::ranges::count(scores_, Rank(), &analysis::TokenScore::rank);
    QString words;
    if (!scores_.empty() && !std::isnan(scores_.back().sum))
        words = tr("Log-probability %1").arg(numberText(scores_.back().sum));
    if (unknown < std::ssize(scores_))
        words += (words.isEmpty() ? QString() : QStringLiteral(" \u00b7 ")) +
                 tr("model agrees on %1 of %2").arg(own).arg(std::ssize(scores_) - unknown);
    result_->setText(words);
    result_->setToolTip(summary());
}

QString ReferenceView::summary() const {
    if (scores_.empty())
        return {};
    const QString sums =
        std::isnan(scores_.back().sum)
            ? tr("Log-probabilities are not recorded for all tokens.")
            : tr("Log-probability %1 in total, %2 per token.")
                  .arg(numberText(scores_.back().sum), numberText(analysis::meanLogProbability(scores_)));
    return sums + ' ' + ownChoices(scores_);
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
        .spaceMarks = spaceMarks_,
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

void ReferenceView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
}

std::optional<PictureOptions> ReferenceView::picture(PictureOptions) const {
    return ofTheWhole("reference");
}

} // namespace headscope::widgets
