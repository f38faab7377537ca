#include "widgets/views/candidates/candidates_view.h"

#include "widgets/controls/tour_spot.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/own_row.h"
#include "widgets/views/places.h"
#include "widgets/words/answer_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/hesitation_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t mostMeasured = 200; ///< steps

using Originals = std::vector<std::optional<float>>;

/// Those of the same tokens, where they are among the candidates `before`.
void addOriginals(Originals& originals, const std::vector<trace::Candidate>& now,
                  const std::vector<trace::Candidate>& before) {
    for (const auto& candidate : now) {
        const auto same = std::ranges::find(before, candidate.token.id,
                                            [](const trace::Candidate& each) { return each.token.id; });
        originals.push_back(same == before.end() ? std::nullopt : std::optional(same->logProbability));
    }
}

/// True if both runs read the same tokens before this step.
bool isReadAlike(const trace::Run& one, const trace::Run& other, std::size_t step) {
    const auto isSame = [](const trace::Token& a, const trace::Token& b) { return a.id == b.id; };
    return step < one.target.size() && step < other.target.size() &&
           std::equal(one.target.begin(), one.target.begin() + static_cast<std::ptrdiff_t>(step) + 1,
                      other.target.begin(), isSame);
}

} // namespace

CandidatesView::CandidatesView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), heading_(new QLabel(this)),
      table_(new ColumnTable(this, ColumnTable::NoRoom::Drop)),
      choose_(new QPushButton(tr("Continue with token"), this)) {
    setAccessibleName(tr("Next tokens"));
    heading_->setTextFormat(Qt::PlainText);
    heading_->setWordWrap(true);
    table_->setAccessibleName(tr("Most probable next tokens"));
    table_->setProperty(tourSpot, spotOfCandidates);
    table_->setProperty(ownRowProperty, true); // other than the step's own
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::s, space::s, space::s);
    column->addWidget(heading_);
    column->addWidget(table_, 1);
    column->addStretch();
    column->addWidget(choose_);
    connect(selection_, &Selection::stepChanged, this, &CandidatesView::showStep);
    connect(selection_, &Selection::focusChanged, this, &CandidatesView::followFocus);
    for (const auto chosen : {&ColumnTable::rowDoubleClicked, &ColumnTable::rowEntered})
        connect(table_, chosen, this, &CandidatesView::choose);
    connect(choose_, &QPushButton::clicked, this, &CandidatesView::choose);
    connect(table_, &QTableView::clicked, this, [this] {
        if (const auto row = table_->currentRow(); row && rows_.areClasses)
            Q_EMIT intended(intents::ChooseClass{rows_.candidates.at(*row).token.id});
    });
    showStep();
}

void CandidatesView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    measureShown();
    showStep();
}

std::vector<trace::Wanted> CandidatesView::questions() const {
    const auto question = changeEffectQuestion(*context().document);
    return question && !context().document->unchanged ? std::vector<trace::Wanted>{trace::Counted(*question)}
                                                      : std::vector<trace::Wanted>();
}

void CandidatesView::refresh() {
    auto original = originalRun(context());
    if (std::exchange(original_, original) == original || run_ != context().document->run)
        return; // of another run, which setRun() shows next
    measureShown();
    showStep();
}

void CandidatesView::setSpaceMarksShown(bool shown) {
    table_->setSpaceMarksShown(shown);
}

/// An animation's frames share what is measured, as any animation's do.
void CandidatesView::measureShown() {
    if (isAnimated())
        measureAgain();
    else
        measureSteps();
}

/// Once for all of them, as it looks at every one. Of a long run that is not for this thread, except where
/// its animation is drawn: its columns fit the step that is shown.
void CandidatesView::measureSteps() {
    widest_.clear();
    if (!run_ || !run_->complete || (run_->target.size() > mostMeasured && !isAnimated()))
        return;
    const QFontMetricsF metrics(table_->font());
    for (std::size_t step = 0; step < run_->target.size(); ++step) {
        if (!run_->tree.node(run_->path[step]).row)
            continue;
        const auto columns = CandidateColumns::content(rowsAt(step)).columns;
        widest_.resize(columns.size());
        for (std::size_t column = 0; column < columns.size(); ++column)
            for (int row = 0; row < columns[column].rows(); ++row)
                if (const QString text = textAt(columns[column], row);
                    metrics.horizontalAdvance(text) > metrics.horizontalAdvance(widest_[column]))
                    widest_[column] = text;
    }
}

CandidateRows CandidatesView::rowsAt(std::size_t step) const {
    return {.candidates = run_->row(step).candidates,
            .chosen = step < run_->next.size() ? std::optional(run_->next[step].id) : std::nullopt,
            .before = run_->tree.logProbability(run_->path[step]),
            .originals = originalsAt(step)};
}

/// Of another beginning of the output, other tokens would be probable without any change.
Originals CandidatesView::originalsAt(std::size_t step) const {
    Originals originals;
    if (!original_)
        return originals;
    static const std::vector<trace::Candidate> none;
    const bool isKnown =
        isReadAlike(*run_, *original_, step) && original_->tree.node(original_->path[step]).row;
    addOriginals(originals, run_->row(step).candidates, isKnown ? original_->row(step).candidates : none);
    return originals;
}

void CandidatesView::showRows() {
    TableContent content = CandidateColumns::content(rows_);
    for (std::size_t column = 0; rows_.areOfStep() && column < widest_.size(); ++column)
        if (widest_[column].size() > content.columns[column].sample.size())
            content.columns[column].sample = widest_[column];
    table_->setContent(std::move(content));
    table_->selectRow(rows_.chosenRow().value_or(0));
}

QString CandidatesView::heading() const {
    return heading_->text();
}

QString CandidatesView::whyNoStep() const {
    if (!run_)
        return tr("Lists the most probable next tokens. %1").arg(hintForNoRun(*this));
    return run_->model && run_->model->decoderLayers == 0 ? whyNoPrediction()
                                                          : tr("This step is not decoded yet: step forward.");
}

QString CandidatesView::whyNoPrediction() const {
    const auto& model = *run_->model;
    if (!model.otherHead.empty())
        return tr("This model was opened without its head, which is not supported (%1): it predicts nothing.")
            .arg(QString::fromStdString(model.otherHead));
    if (model.tokenPrediction != trace::TokenPrediction::Masked)
        return tr("Encoder-only model without an output head: it predicts nothing.");
    return model.recorded ? tr("This trace contains no predictions of masked tokens.")
                          : tr("Type %1 in place of a word to see its most probable tokens.")
                                .arg(QString::fromStdString(model.maskPiece));
}

bool CandidatesView::showPrediction() {
    if (!run_ || !run_->target.empty())
        return false;
    if (!run_->classLogProbabilities.empty())
        showClasses();
    else if (!run_->maskCandidates.empty())
        showMasks();
    else if (!run_->replacedProbabilities.empty())
        showReplaced();
    else if (!run_->spanLogProbabilities.empty())
        showWords(answerInWords(*run_));
    else if (!run_->numbers.empty())
        showWords(numbersInWords(*run_));
    else
        return false;
    return true;
}

void CandidatesView::showMasks() {
    rows_ = {.areLabels = run_->model && run_->model->tokenLabels > 0};
    for (const auto& [position, candidates] : run_->maskCandidates) {
        rows_.candidates.insert(rows_.candidates.end(), candidates.begin(), candidates.end());
        rows_.positions.insert(rows_.positions.end(), candidates.size(), position);
        if (!original_)
            continue;
        const auto before = original_->maskCandidates.find(position);
        addOriginals(rows_.originals, candidates,
                     before == original_->maskCandidates.end() ? std::vector<trace::Candidate>()
                                                               : before->second);
    }
    const auto masks = run_->maskCandidates.size();
    if (rows_.areLabels)
        return heading_->setText(tr("Probabilities of the labels of %1 tokens:").arg(masks));
    heading_->setText(
        masks == 1
            ? tr("Most probable tokens of the mask at position %1:").arg(run_->maskCandidates.begin()->first)
            : tr("Most probable tokens of %1 masks:").arg(masks));
}

void CandidatesView::showWords(const QString& words) {
    rows_ = {};
    heading_->setText(words);
}

void CandidatesView::showReplaced() {
    rows_ = {.areReplaced = true};
    for (std::size_t i = 0; i < run_->replacedProbabilities.size(); ++i) {
        rows_.candidates.push_back(
            {.token = run_->source[i], .logProbability = std::log(run_->replacedProbabilities[i])});
        rows_.positions.push_back(i);
        if (original_)
            rows_.originals.emplace_back(
                static_cast<float>(std::log(original_->replacedProbabilities.at(i))));
    }
    heading_->setText(tr("Probability that each token was replaced:"));
}

/// Selects the row of the token that another view highlights.
void CandidatesView::followFocus() {
    const auto& focus = selection_->focus();
    const auto token = focus.sourceKey ? focus.sourceKey : focus.sourceQuery;
    const std::size_t lit = token.value_or(0);
    const auto row = std::ranges::find(rows_.positions, lit);
    if (token && row != rows_.positions.end())
        table_->selectRow(row - rows_.positions.begin());
}

void CandidatesView::showClasses() {
    rows_ = {.areClasses = true};
    auto& classes = rows_.candidates;
    const auto& labels = run_->model->classLabels;
    for (std::size_t c = 0; c < run_->classLogProbabilities.size(); ++c)
        classes.push_back({.token = {.id = static_cast<std::int64_t>(c),
                                     .piece = c < labels.size() ? labels[c] : std::to_string(c)},
                           .logProbability = run_->classLogProbabilities[c]});
    std::ranges::stable_sort(classes, std::greater(), &trace::Candidate::logProbability);
    for (const auto& each : classes)
        if (original_)
            rows_.originals.emplace_back(original_->classLogProbabilities.at(each.token.id));
    rows_.chosen = classes.front().token.id;
    heading_->setText((labels.empty()
                           ? tr("Probabilities of %1 classes, which have no names in the model's file:")
                           : tr("Probabilities of %1 classes:"))
                          .arg(rows_.count()));
}

void CandidatesView::showTokens() {
    const std::size_t step = selection_->step();
    rows_ = rowsAt(step);
    const bool isLacking = run_->model && run_->model->recorded && run_->row(step).candidates.empty();
    heading_->setText(isLacking ? whyNoCandidates()
                                : tr("After %1, choosing:").arg(quoted(tokenLabel(run_->target, step))));
}

void CandidatesView::showStep() {
    const std::size_t step = selection_->step();
    const bool computed = run_ && step < run_->target.size() && run_->tree.node(run_->path[step]).row;
    if (!showPrediction()) {
        if (computed) {
            showTokens();
        } else {
            rows_ = {};
            heading_->setText(whyNoStep());
        }
    }
    const bool any = rows_.count() > 0;
    const double smoothing = run_ && run_->model ? run_->model->labelSmoothing : 0;
    rows_.labelSmoothing = smoothing;
    table_->setVisible(any);
    choose_->setVisible(!run_ || !run_->model || run_->model->decoderLayers > 0);
    const QString whyNot = run_ && run_->model ? whyNothingRuns(*run_->model) : QString();
    choose_->setEnabled(any && whyNot.isEmpty());
    choose_->setToolTip(
        !whyNot.isEmpty() ? whyNot
        : any             ? tr("Continue with this token at this step; the previous output becomes a branch")
                          : tr("There is no token to continue with yet."));
    heading_->setVisible(!any || !rows_.areOfStep()); // else note() says so
    showRows();
    Q_EMIT noteChanged();
}

QString CandidatesView::note() const {
    return rows_.count() > 0 && rows_.areOfStep()
               ? tr("after %1").arg(quoted(tokenLabel(run_->target, selection_->step())))
               : QString();
}

void CandidatesView::choose() {
    const auto row = table_->currentRow();
    if (row && rows_.areOfStep())
        Q_EMIT intended(intents::ChooseToken{selection_->step(), rows_.candidates[*row].token.id});
}

/// For all columns, with the shortest bars.
QSize CandidatesView::sizeHint() const {
    const auto margins = layout()->contentsMargins();
    return QWidget::sizeHint().expandedTo({table_->leastWidth() + margins.left() + margins.right(), 0});
}

QString CandidatesView::caption() const {
    const QString before =
        rows_.originals.empty()
            ? QString()
            : QChar(' ') + tr("Before: probability in the original model after the same tokens; "
                              "\u2013: unknown.");
    const QString of = CandidateColumns::certainty(rows_.labelSmoothing);
    const QString certainty = of.isEmpty() ? of : QChar(' ') + of;
    if (rows_.areReplaced)
        return tr("For each token of the text, the probability that another model put it in place of the "
                  "original.") +
               before;
    if (rows_.areLabels)
        return tr("The probabilities of all labels of each token, special tokens left out.") + before;
    if (!rows_.positions.empty())
        return tr("The %n most probable tokens of each mask, with their probabilities over the whole "
                  "vocabulary.",
                  nullptr, rows_.count() / static_cast<int>(run_->maskCandidates.size())) +
               before;
    if (rows_.areClasses)
        return tr("Probabilities of the model's %1 classes for this sentence. The dot marks the most "
                  "probable class.")
                   .arg(rows_.count()) +
               before + certainty;
    return tr("The %1 most probable next tokens at step %2 of %3, with their probabilities over the whole "
              "vocabulary and the total log-probability of the target with each (nats). The dot marks the "
              "chosen token.")
               .arg(rows_.count())
               .arg(selection_->step() + 1)
               .arg(run_->target.size()) +
           before + certainty;
}

void CandidatesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measureShown();
}

std::optional<FigureBlocks> CandidatesView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    TableFigure figure = table_->figure();
    figure.heading = heading();
    figure.caption = caption();
    figure.marked = rows_.chosenRow();
    for (auto& each : figure.columns) // tables have fractions
        if (each.isNumeric())
            each.write = [](double value) { return numberText(value); };
    figure.font = font();
    return figure.blocks();
}

FigureText CandidatesView::figureText() const {
    if (!hasFigure())
        return {};
    const QString title = rows_.areClasses    ? tr("Classes")
                          : rows_.areReplaced ? tr("Replaced tokens")
                          : rows_.areLabels   ? tr("Labels of tokens")
                          : rows_.areOfStep() ? tr("Next token at step %1").arg(selection_->step() + 1)
                                              : tr("Masked tokens");
    return {
        .title = title, .caption = caption(), .provenance = provenance(*run_), .quantity = tr("probability")};
}

trace::FigureData CandidatesView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList pieces;
    std::vector<double> ids, probabilities, logProbabilities, sums;
    for (const auto& candidate : rows_.candidates) {
        pieces += tokenLabel(candidate.token).full();
        ids.push_back(static_cast<double>(candidate.token.id));
        logProbabilities.push_back(candidate.logProbability);
        probabilities.push_back(std::exp(logProbabilities.back()));
        sums.push_back(rows_.sum(sums.size()));
    }
    trace::DataTable table{.name = "candidates",
                           .columns = {dataColumn("token", pieces), dataColumn("id", ids),
                                       dataColumn("probability", probabilities)}};
    if (!rows_.areReplaced)
        table.columns.push_back(dataColumn("log_probability", logProbabilities));
    if (!rows_.positions.empty())
        table.columns.insert(
            table.columns.begin(),
            dataColumn("position", std::vector<double>(rows_.positions.begin(), rows_.positions.end())));
    if (rows_.areOfStep())
        table.columns.push_back(dataColumn("sum_of_log_probabilities", sums));
    if (!rows_.originals.empty())
        table.columns.push_back(dataColumn("probability_before", rows_.originals, [](const auto& before) {
            return before ? std::exp(static_cast<double>(*before)) : noNumber;
        }));
    return {.tables = {table}};
}

std::optional<PictureOptions> CandidatesView::picture(PictureOptions options) const {
    return ofView(std::move(options), "candidates");
}

QStringList CandidatesView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    if (rows_.areOfStep())
        parts += QStringLiteral("step-%1").arg(step + 1);
    return parts;
}

View* views::makers::candidates(Selection* selection, QWidget* parent) {
    return new CandidatesView(selection, parent);
}

double CandidateRows::sum(std::size_t row) const {
    return before + static_cast<double>(candidates.at(row).logProbability);
}

bool CandidateRows::areOnePosition() const {
    return !areReplaced && std::ranges::adjacent_find(positions, std::not_equal_to()) == positions.end();
}

std::optional<int> CandidateRows::chosenRow() const {
    for (int row = 0; row < count(); ++row)
        if (candidates[row].token.id == chosen)
            return row;
    return std::nullopt;
}

QString CandidateColumns::certainty(double labelSmoothing) {
    if (labelSmoothing <= 0)
        return {};
    return tr("Trained with label smoothing %1: the training target was a probability of about %2.")
        .arg(labelSmoothing)
        .arg(1 - labelSmoothing);
}

TableContent CandidateColumns::content(const CandidateRows& rows) {
    const bool isCompared = !rows.originals.empty(); // by a mark on the bar, too
    TableColumn rank{
        .title = tr("Rank"), .atRight = true, .dropped = 2, .sample = QStringLiteral("\u25CF 10")};
    rank.hidden = rows.areReplaced;
    TableColumn token{.title = rows.areClasses ? tr("Class") : rows.areLabels ? tr("Label") : tr("Token")};
    TableColumn probability{.title = isCompared         ? tr("Now")
                                     : rows.areReplaced ? tr("Replaced")
                                                        : tr("Probability"),
                            .toolTip = rows.areReplaced ? tr("Probability that the token was replaced")
                                                        : certainty(rows.labelSmoothing),
                            .write = percentText};
    TableColumn before{.title = tr("Before"),
                       .toolTip =
                           tr("Probability in the original model after the same tokens; \u2013: unknown"),
                       .write = percentText,
                       .isOriginal = true,
                       .hidden = !isCompared};
    for (const auto& original : rows.originals)
        before.numbers.push_back(original ? std::optional(std::exp(static_cast<double>(*original)))
                                          : std::nullopt);
    TableColumn sum{.title = tr("\u03a3 log-prob."),
                    .toolTip = tr("Log-probability of the target so far with this token"),
                    .write = [](double value) { return numberText(value); },
                    .hidden = !rows.areOfStep(),
                    .dropped = 3};
    TableColumn bar{.bars = TableColumn::Bars::Alone,
                    .fromLeft = true,
                    .longest = 1,
                    .dropped = 1,
                    .sample = QStringLiteral("xxxxxx")};
    std::vector<TokenLabel> labels;
    for (const auto& candidate : rows.candidates)
        labels.push_back(tokenLabel(candidate.token));
    const auto chosen = rows.chosenRow();
    TableColumn position{.title = tr("Position"),
                         .toolTip = tr("Index of the token in the text, from 0"),
                         .atRight = true,
                         .hidden = rows.areOnePosition()};
    int first = 0; // row of the best token of a mask
    for (int row = 0; row < rows.count(); ++row) {
        const std::size_t place = row;
        if (!rows.positions.empty()) {
            position.texts += QString::number(rows.positions[place]);
            if (rows.positions[place] != rows.positions[first])
                first = row;
        }
        const int number = row - first + 1;
        rank.texts += row == chosen ? QStringLiteral("\u25CF %1").arg(number) : QString::number(number);
        // Tokens that differ in their space alone are told apart.
        TokenLabel label = labels[place];
        label.isMarkNeeded = std::ranges::any_of(labels, [&](const TokenLabel& other) {
            return other.text == label.text && other.mark != label.mark;
        });
        token.tokens.push_back(std::move(label));
        probability.numbers.emplace_back(
            std::exp(static_cast<double>(rows.candidates[place].logProbability)));
        sum.numbers.emplace_back(rows.sum(place));
    }
    bar.numbers = probability.numbers;
    bar.ticks = before.numbers;
    bar.ticksAreOriginal = true;
    if (isCompared) { // in a narrow card, too
        probability.bars = TableColumn::Bars::UnderIfNoRoom;
        probability.fromLeft = true;
        probability.longest = bar.longest;
        probability.ticks = before.numbers;
        probability.ticksAreOriginal = true;
    }
    TableContent content{.columns = {rank, token, probability, before, sum, bar}};
    if (!rows.positions.empty())
        content.columns.insert(content.columns.begin(), position);
    content.toolTip = [rows, labels, chosen](int row, int) {
        const auto& candidate = rows.candidates[row];
        if (rows.areReplaced)
            return tr("%1, id %2").arg(exactly(labels[row])).arg(candidate.token.id);
        return tr("%1, id %2, log-probability %3%4")
            .arg(exactly(labels[row]), QString::number(candidate.token.id),
                 numberText(candidate.logProbability), row == chosen ? tr("; chosen") : QString());
    };
    content.words = [labels, chosen, rows, ranks = rank.texts, numbers = probability.numbers](int row) {
        const std::size_t place = row;
        if (rows.areReplaced)
            return tr("position %1: %2, replaced with probability %3")
                .arg(rows.positions[place])
                .arg(quoted(labels[place]), percentText(*numbers[place]));
        if (!rows.positions.empty())
            return tr("position %1, rank %2: %3, probability %4")
                .arg(rows.positions[place])
                .arg(ranks[row], quoted(labels[place]), percentText(*numbers[place]));
        return tr("rank %1: %2, probability %3%4")
            .arg(row + 1)
            .arg(quoted(labels[place]), percentText(*numbers[place]),
                 row == chosen ? tr(", chosen") : QString());
    };
    return content;
}

} // namespace headscope::widgets
