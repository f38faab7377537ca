#include "widgets/views/why/why_view.h"

#include "model/trace/class_label.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int whyHeight = 56;
enum Segment { NoneSegment, UniformSegment, TwinSegment }; // as the words of the choice

QComboBox* newField(QWidget* parent, const QString& name) {
    auto* field = new QComboBox(parent);
    QFont bold = field->font();
    bold.setBold(true);
    field->setFont(bold);
    field->setAccessibleName(name);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(14);
    return field;
}

/// Beside each other on one line.
QWidget* together(const std::vector<QWidget*>& parts) {
    auto* group = new QWidget(parts.front()->parentWidget());
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    for (auto* part : parts)
        row->addWidget(part);
    return group;
}

QString withProbability(const trace::Token& token, const std::optional<double>& logProbability) {
    const QString text = plainToken(token);
    return logProbability ? QStringLiteral("%1   %2").arg(text, shareText(std::exp(*logProbability))) : text;
}

} // namespace

View* views::makers::why(Selection* selection, QWidget* parent) {
    return new WhyView(selection, parent);
}

WhyView::WhyView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), step_(newField(this, tr("Step"))),
      other_(newField(this, tr("Rather than"))), lead_(headlineLabel({}, this)), words_(new QLabel(this)),
      refused_(wrappedLabel(this)),
      baseline_(new Segments(tr("Baseline"), {tr("None"), tr("Uniform"), tr("Random twin")}, this)) {
    setAccessibleName(tr("Why this token"));
    step_->setToolTip(tr("The token that is explained"));
    other_->setEditable(true);
    other_->lineEdit()->setAccessibleName(other_->accessibleName());
    other_->setInsertPolicy(QComboBox::NoInsert);
    other_->setToolTip(
        tr("The token to compare with in all cards: choose one, or type a token, a single-token word, or # "
           "and an id. The first entry stays the most probable alternative at every step."));
    words_->setForegroundRole(QPalette::PlaceholderText);
    refused_->hide();
    setTextRole(lead_, TextRole::Title);
    setMinimumHeight(whyHeight);
    auto* baseline = new QLabel(tr("Baseline"), this);
    baseline->setForegroundRole(QPalette::PlaceholderText);
    auto* gap = new QWidget(this); // the baseline stands at the right
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* parts = new QWidget(this);
    auto* flow = new FlowLayout(parts);
    flow->setSpacing(space::s);
    flow->addWidget(together({headlineLabel(tr("Why"), this), step_, headlineLabel(tr("rather than"), this),
                              other_, headlineLabel(tr("?"), this)}));
    flow->addWidget(together({lead_, words_}));
    flow->addWidget(gap);
    flow->addWidget(together({baseline, baseline_}));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::xs, space::m, space::xs);
    column->addStretch();
    column->addWidget(parts);
    column->addWidget(refused_);
    column->addStretch();
    connect(baseline_, &Segments::currentChanged, this,
            [this](int baseline) { Q_EMIT intended(chooseWord("why", "baseline", baseline)); });
    connect(step_, &QComboBox::activated, this, &WhyView::chooseStep);
    connect(other_, &QComboBox::activated, this, &WhyView::chooseOther);
    connect(other_->lineEdit(), &QLineEdit::returnPressed, this, &WhyView::chooseTyped);
    connect(selection, &Selection::stepChanged, this, [this] {
        refresh();
        Q_EMIT questionsChanged();
    });
}

/// The lens knows tokens that are not among the candidates.
std::vector<trace::Wanted> WhyView::questions() const {
    return shown_ ? std::vector<trace::Wanted>{explainedLens(*shown_)} : std::vector<trace::Wanted>();
}

void WhyView::refresh() {
    const auto& document = *context().document;
    shown_ = explained(document, selection_->step());
    others_ = alternatives(document, selection_->step());
    refusal_ = shown_ ? context().known->refusalOf(explainedLens(*shown_)) : std::nullopt;
    listSteps();
    listOthers();
    showLead();
    showBaseline();
}

std::optional<double> WhyView::lead() const {
    if (!shown_ || shown_->rather.empty())
        return std::nullopt;
    const auto lens = context().known->of(shown_->request, trace::LensWhat());
    if (lens && shown_->step < lens->readings.size() && !lens->readings[shown_->step].empty())
        if (const auto& read = lens->readings[shown_->step].back().lead)
            return *read;
    return shown_->lead();
}

/// Of an encoder the masks, or its answer.
void WhyView::listSteps() {
    const QSignalBlocker quiet(step_);
    step_->clear();
    setEnabled(shown_.has_value());
    if (!shown_)
        return;
    const auto& run = *context().document->run;
    const auto add = [this](std::size_t step, const QString& text) {
        step_->addItem(text);
        if (step == shown_->step)
            step_->setCurrentIndex(step_->count() - 1);
    };
    for (std::size_t t = 0; t < run.next.size(); ++t)
        add(t, t == shown_->step ? withProbability(shown_->chosen, shown_->chosenLogProbability)
                                 : tr("%1: %2").arg(QString::number(t + 1), plainToken(run.next[t])));
    if (!run.target.empty())
        return;
    switch (run.answerKind()) {
    case trace::AnswerKind::Tokens: {
        std::size_t mask = 0;
        for (const auto& [position, candidates] : run.maskCandidates)
            add(mask++, withProbability(candidates.front().token, candidates.front().logProbability));
        break;
    }
    case trace::AnswerKind::Numbers:
        for (std::size_t number = 0; number < run.numbers.size(); ++number)
            add(number, tr("%1: %2").arg(plainToken(run.answers()[number]), numberText(run.numbers[number])));
        break;
    default:
        for (std::size_t answer = 0; answer < run.answers().size(); ++answer)
            if (const auto of = explained(*context().document, answer))
                add(answer, (run.answerKind() != trace::AnswerKind::Ends ? QStringLiteral("%1")
                             : answer == 0                               ? tr("start %1")
                                                                         : tr("end %1"))
                                .arg(withProbability(of->chosen, of->chosenLogProbability)));
    }
}

/// The second choice, the others, and nothing.
void WhyView::listOthers() {
    if (other_->lineEdit()->hasFocus() && other_->lineEdit()->isModified())
        return;
    const QSignalBlocker quiet(other_);
    other_->clear();
    if (!shown_)
        return;
    for (const auto& candidate : others_)
        other_->addItem(withProbability(candidate.token, candidate.logProbability));
    other_->addItem(tr("nothing"));
    const auto place = std::ranges::find_if(others_, [this](const auto& candidate) {
        return shown_->other && candidate.token.id == shown_->other->id;
    });
    if (shown_->rather.empty())
        other_->setCurrentIndex(other_->count() - 1);
    else if (place != others_.end())
        other_->setCurrentIndex(place - others_.begin());
    else
        other_->setEditText(QString::fromStdString(shown_->rather));
}

void WhyView::chooseStep(int row) {
    if (context().document->run->target.empty())
        selection_->setStep(row);
    else
        Q_EMIT intended(intents::GoTo{row});
}

/// The second choice stays that of every step.
void WhyView::chooseOther(int row) {
    const bool isNothing = row >= std::ssize(others_);
    const bool isSecond = row == 0 && !isNothing;
    Q_EMIT intended(chooseWord("why", "unnamed", isNothing ? 1 : 0));
    Q_EMIT intended(intents::CompareWith{
        isNothing || isSecond ? std::string()
                              : contrastName(*context().document->run, others_[row].token).toStdString()});
}

void WhyView::chooseTyped() {
    other_->lineEdit()->setModified(false);
    const QString typed = other_->currentText().trimmed();
    if (const int row = other_->findText(typed, Qt::MatchExactly); row >= 0)
        return chooseOther(row);
    Q_EMIT intended(intents::CompareWith{typed.toStdString()});
}

void WhyView::showLead() {
    const auto logits = lead();
    const bool isRefused = refusal_.has_value();
    refused_->setVisible(isRefused);
    lead_->setVisible(logits && !isRefused);
    words_->setVisible(logits && !isRefused);
    if (isRefused)
        refused_->setText(QString::fromStdString(trace::paragraph(*refusal_)));
    if (!logits)
        return;
    lead_->setText(shortNumberText(std::abs(*logits)));
    const bool decodes = !context().document->run->target.empty();
    const QString where = decodes ? tr(" at step %1").arg(shown_->step + 1) : QString();
    words_->setText((*logits < 0 ? tr("logits behind%1\n%2 times as probable")
                                 : tr("logits ahead%1\n%2 times as probable"))
                        .arg(where, timesText(std::exp(*logits))));
}

void WhyView::showBaseline() {
    const auto& document = *context().document;
    const QSignalBlocker quiet(baseline_);
    const auto chosen = baselineOf(document);
    baseline_->setCurrentIndex(chosen == Baseline::Twin      ? TwinSegment
                               : chosen == Baseline::Uniform ? UniformSegment
                                                             : NoneSegment);
    const bool isTrace = document.run && document.run->model && document.run->model->recorded;
    const bool hasLayers = shown_.has_value();
    baseline_->setEnabled(UniformSegment, hasFigure());
    baseline_->setEnabled(TwinSegment, hasLayers && !isTrace);
    baseline_->setToolTip(NoneSegment, tr("Show no baseline"));
    baseline_->setToolTip(UniformSegment, tr("Mark equal shares and equal probabilities in Source words and "
                                             "Layers. Heads, Parts and contributions have no such mark."));
    baseline_->setToolTip(
        TwinSegment,
        isTrace ? tr("A recording contains no model, so it has no random twin.")
                : tr("Mark what the same network with random weights computes for the same output, in "
                     "Source words, Layers and, if it chooses the same, Parts. The importance of "
                     "heads in a random network cannot be compared."));
}

QString WhyView::heading() const {
    const QString chosen = quoted(tokenLabel(shown_->chosen));
    if (shown_->rather.empty())
        return tr("Why %1?").arg(chosen);
    const QString other =
        shown_->other ? quoted(tokenLabel(*shown_->other)) : isolated(QString::fromStdString(shown_->rather));
    return tr("Why %1 rather than %2?").arg(chosen, other);
}

QString WhyView::whyEmpty() const {
    const auto* run = context().document->run.get();
    if (shown_)
        return tr("A number is compared with nothing.");
    const QString why = whyNotMeasured(run, *this);
    return run && !why.isEmpty() ? why : run ? tr("The output is not complete.") : hintForNoRun(*this);
}

bool WhyView::hasFigure() const {
    return shown_ && context().document->run->answerKind() != trace::AnswerKind::Numbers;
}

std::optional<FigureBlocks> WhyView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    auto listed = others_;
    listed.insert(listed.begin(),
                  {.token = shown_->chosen,
                   .logProbability = static_cast<float>(shown_->chosenLogProbability.value_or(noNumber))});
    const auto chosen = listed.front().logProbability;
    TableFigure figure;
    figure.columns = {
        prepared(
            filled({.title = tr("Token")}, listed, [](const auto& each) { return tokenLabel(each.token); })),
        prepared(
            filled({.title = {}, .bars = TableColumn::Bars::Alone, .fromLeft = true, .longest = 1}, listed,
                   [](const auto& each) { return std::optional(std::exp(double(each.logProbability))); })),
        prepared(
            filled({.title = tr("Probability"), .write = shareText}, listed,
                   [](const auto& each) { return std::optional(std::exp(double(each.logProbability))); })),
        prepared(
            filled({.title = tr("Logits behind"), .write = shortNumberText}, listed, [&](const auto& each) {
                return std::optional(double(chosen) - double(each.logProbability));
            }))};
    figure.heading = heading();
    figure.caption = figureText().caption;
    figure.marked = 0;
    figure.font = font();
    return figure.blocks();
}

FigureText WhyView::figureText() const {
    if (!hasFigure())
        return {};
    const auto& run = *context().document->run;
    return {
        .title = heading(),
        .caption = tr(
            "Candidates with their probabilities, and how far their logits are behind the chosen token's."),
        .provenance = provenance(run),
        .quantity = tr("probability")};
}

trace::FigureData WhyView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList tokens{tokenLabel(shown_->chosen).full()};
    const double own = shown_->chosenLogProbability.value_or(noNumber);
    std::vector<double> logProbabilities{own}, behind{0};
    for (const auto& other : others_) {
        tokens += tokenLabel(other.token).full();
        logProbabilities.push_back(other.logProbability);
        behind.push_back(own - other.logProbability);
    }
    return {
        .tables = {{.name = "why",
                    .columns = {dataColumn("token", tokens), dataColumn("log_probability", logProbabilities),
                                dataColumn("logits_behind", behind)}}}};
}

std::optional<PictureOptions> WhyView::picture(PictureOptions options) const {
    return ofView(std::move(options), "why");
}

} // namespace headscope::widgets
