#include "widgets/views/what_if/what_if_view.h"

#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/scores/score_distribution.h"
#include "model/trace/run_path.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/export/figure_heads.h"
#include "widgets/views/places.h"
#include "widgets/views/what_if/change_list.h"
#include "widgets/views/what_if/score_histogram.h"
#include "widgets/views/what_if/step_bars.h"
#include "widgets/views/what_if/step_comparison_view.h"
#include "widgets/words/answer_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/change_words.h"
#include "widgets/words/class_title.h"
#include "widgets/words/compared_text.h"
#include "widgets/words/not_stored_words.h"
#include "widgets/words/plain_text.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headscope::widgets {

namespace {

/// "class 1 0.8300, class 0 0.1700", most probable first.
QString classesInWords(const trace::Run& run) {
    constexpr std::size_t most = 5;
    const auto& logProbabilities = run.classLogProbabilities;
    std::vector<std::size_t> classes(logProbabilities.size());
    std::iota(classes.begin(), classes.end(), 0);
    std::ranges::stable_sort(classes, std::greater(), [&](std::size_t c) { return logProbabilities[c]; });
    classes.resize(std::min(most, classes.size()));
    QStringList words;
    for (const std::size_t c : classes)
        words += WhatIfView::tr("%1 %2").arg(classTitle(*run.model, c),
                                             numberText(std::exp(double(logProbabilities[c]))));
    return words.join(QStringLiteral(", "));
}

/// "mask 1: “cat” 0.8300, “dog” 0.0700; mask 2: ...", most probable first; of labels "“Anna”: “person”
/// 0.8300".
QString masksInWords(const trace::Run& run) {
    const bool areLabels = analysis::comparedIn(run) == analysis::Compared::Labels;
    const std::size_t most = areLabels ? 1 : 3;
    QStringList masks;
    for (const auto& [position, candidates] : run.maskCandidates) {
        QStringList words;
        for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i)
            words += WhatIfView::tr("%1 %2").arg(quoted(tokenLabel(candidates[i].token)),
                                                 numberText(std::exp(double(candidates[i].logProbability))));
        const QString said = words.join(QStringLiteral(", "));
        masks += areLabels ? WhatIfView::tr("%1: %2").arg(quoted(tokenLabel(run.source, position)), said)
                           : WhatIfView::tr("mask %1: %2").arg(QString::number(masks.size() + 1), said);
    }
    return masks.join(QStringLiteral("; "));
}

/// What an encoder alone says of its source.
QString predictionInWords(const trace::Run& run) {
    switch (run.answerKind()) {
    case trace::AnswerKind::Numbers:
        return numbersInWords(run);
    case trace::AnswerKind::Ends:
        return answerInWords(run);
    case trace::AnswerKind::Classes:
        return classesInWords(run);
    default:
        return masksInWords(run);
    }
}

bool scalesScores(const trace::Request& request) {
    return std::ranges::any_of(effective(request.interventions), [](const trace::Change& change) {
        return std::holds_alternative<trace::ScaleScores>(change) ||
               std::holds_alternative<trace::SoftmaxTemperature>(change);
    });
}

} // namespace

View* views::makers::what_if(Selection* selection, QWidget* parent) {
    return new WhatIfView(selection, parent);
}

WhatIfView::WhatIfView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), changes_(new ChangeList(selection, this)), note_(new QLabel(this)),
      before_(new QLabel(this)), after_(new QLabel(this)), steps_(new StepComparisonView(selection, this)),
      sum_(new QLabel(this)), scores_(new ScoreHistogram(this)), scoresWords_(new QLabel(this)) {
    for (QLabel* label : {note_, before_, after_, sum_, scoresWords_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (QLabel* output : {before_, after_})
        output->setTextFormat(Qt::RichText); // comparedText() escapes the tokens
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::s, space::s, space::s);
    column->addWidget(changes_);
    for (QWidget* part :
         std::initializer_list<QWidget*>{note_, before_, after_, steps_, sum_, scores_, scoresWords_})
        column->addWidget(part);
    column->addStretch(1); // the list is as high as its changes
    setAccessibleName(tr("What if"));
    connect(changes_, &ChangeList::intended, this, &View::intended);
    connect(selection_, &Selection::headChanged, this, &WhatIfView::showScores);
    setRuns(nullptr, nullptr, nullptr);
}

void WhatIfView::setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> original,
                         std::shared_ptr<const trace::Run> forced) {
    run_ = std::move(run);
    original_ = std::move(original);
    forced_ = std::move(forced);
    showOutputs();
    showNote();
    showScores();
    if (!run_ || !original_)
        setSteps({});
    else if (run_->model->classes > 0)
        setSteps(analysis::compareSteps(*original_, *run_));
}

std::vector<trace::Wanted> WhatIfView::questions() const {
    const auto question = changeEffectQuestion(*context().document);
    return question ? std::vector<trace::Wanted>{trace::Counted(*question)} : std::vector<trace::Wanted>();
}

/// While another run of the same sentence is decoded and compared, the effect before stays, so that nothing
/// flickers.
void WhatIfView::refresh() {
    changes_->follow(*context().document);
    Q_EMIT noteChanged();
    const auto& run = context().document->run;
    const auto question = changeEffectQuestion(*context().document);
    const auto effect = question ? context().known->of(*question) : nullptr;
    const auto refusal = question ? context().known->refusalOf(trace::Counted(*question)) : std::nullopt;
    // A token that cannot be compared with is refused where it was typed.
    const QString why = refusal && refusal->where != trace::contrastOption
                            ? QString::fromStdString(trace::paragraph(*refusal))
                            : QString();
    const bool isAwaited = run && !effect && !refusal && (question || !run->complete) &&
                           !effective(run->request.interventions).empty();
    const bool stays = isAwaited && effect_ && effect_->original->request.source == run->request.source;
    if (run == run_ && (effect == effect_ || stays) && why == refusal_)
        return;
    refusal_ = why;
    if (!stays)
        effect_ = effect;
    setRuns(run, effect_ ? effect_->original : nullptr, effect_ ? effect_->forced : nullptr);
    if (effect_ && !stays)
        setSteps(effect_->steps);
}

QString WhatIfView::note() const {
    const auto count = context().document->changes.size();
    return count == 0 ? tr("nothing changed") : count == 1 ? tr("1 change") : tr("%1 changes").arg(count);
}

QMenu* WhatIfView::menu() const {
    return changes_->addMenu();
}

void WhatIfView::addTo(QMenu& menu, const PointedAt& pointed) {
    changes_->addTo(menu, pointed);
}

void WhatIfView::showOutputs() {
    const bool compared = run_ && original_;
    for (QLabel* label : {before_, after_})
        label->setVisible(compared);
    if (!compared)
        return;
    QString said = predictionInWords(*original_).toHtmlEscaped();
    QString saidNow = predictionInWords(*run_).toHtmlEscaped();
    bool same = said == saidNow;
    QString unchanged = run_->model->classes > 0 ? tr("Classes unchanged, at the precision shown:")
                                                 : tr("Predictions unchanged, at the precision shown:");
    if (run_->model->decoderLayers > 0) {
        const auto before = analysis::outputTokens(*original_);
        const auto after = analysis::outputTokens(*run_);
        const auto words = analysis::compareOutputs(before, after);
        said = comparedText(before, words.before, WordMark::StruckThrough);
        saidNow = comparedText(after, words.after, WordMark::Underlined);
        same = std::ranges::equal(before, after, {}, &trace::Token::piece, &trace::Token::piece);
        unchanged = tr("Output unchanged:");
    }
    // Not arg(): a token may contain a placeholder such as %1.
    before_->setText((same ? unchanged : tr("Original:")) + QStringLiteral("<br>") + said);
    after_->setVisible(!same);
    after_->setText(tr("Changed:") + QStringLiteral("<br>") + saidNow);
}

void WhatIfView::setSteps(std::vector<analysis::StepComparison> steps) {
    steps_->setSteps(std::move(steps), compared());
    const bool any = run_ && original_ && !steps_->steps().empty();
    steps_->setVisible(any);
    sum_->setVisible(any);
    sum_->setText(any ? sumInWords() : QString());
}

analysis::Compared WhatIfView::compared() const {
    return run_ ? analysis::comparedIn(*run_) : analysis::Compared::Steps;
}

TokenLabel WhatIfView::labelOf(const analysis::StepComparison& step) const {
    return compared() == analysis::Compared::Classes
               ? TokenLabel{.text = classTitle(*run_->model, static_cast<std::size_t>(step.token.id))}
               : tokenLabel(step.token);
}

QString WhatIfView::sumInWords() const {
    const auto& steps = steps_->steps();
    double before = 0, after = 0, divergence = 0;
    for (const auto& step : steps) {
        before += step.before;
        after += step.after;
        divergence += step.divergence;
    }
    if (compared() == analysis::Compared::Numbers)
        return {};
    if (compared() == analysis::Compared::Classes)
        return tr("KL %1 nats.").arg(numberText(std::max(0.0, divergence))); // rounding may make it negative
    const auto changed = std::ranges::count_if(steps, [](const auto& step) { return step.topChanged; });
    const auto& contrast = steps.front().contrast;
    const QString against = contrast ? tr(" compared with %1").arg(quoted(tokenLabel(*contrast))) : QString();
    const QString words =
        compared() == analysis::Compared::Labels
            ? tr("Labels of the original model: log-probability%1 %2 there, %3 in the changed model. Mean KL "
                 "%4 nats a token; the label differs at %5 of %6 tokens (line above the bar).")
        : compared() == analysis::Compared::Answer
            ? tr("Answer of the original model: log-probability%1 %2 there, %3 in the changed model. Mean KL "
                 "%4 "
                 "nats; the most probable start or end differs at %5 of %6 (line above the bar).")
        : compared() == analysis::Compared::Masks
            ? tr("First candidates of the original model: log-probability%1 %2 in the original model, %3 in "
                 "the changed model. Mean KL %4 nats per mask; the first candidate differs at %5 of %6 masks "
                 "(line above the bar).")
            : tr("Original output: log-probability%1 %2 in the original model, %3 in the changed model. Mean "
                 "KL %4 nats per step; the first choice differs at %5 of %6 steps (line above the bar).");
    return words.arg(against, numberText(before), numberText(after),
                     numberText(divergence / static_cast<double>(steps.size())), QString::number(changed),
                     QString::number(steps.size()));
}

void WhatIfView::showNote() {
    QStringList notes;
    if (!refusal_.isEmpty())
        notes += refusal_;
    const auto changes = run_ ? effective(run_->request.interventions) : std::vector<trace::Change>();
    const bool hasOutput = run_ && (run_->model->decoderLayers > 0 || !run_->answers().empty());
    if (!changes.empty() && !hasOutput)
        notes += run_->model->hasNoHead() ? tr("This model predicts nothing: see its maps for the changes.")
                 : run_->model->tokenPrediction == trace::TokenPrediction::Masked
                     ? tr("Type %1 in place of a word to see the effect on its prediction.")
                           .arg(QString::fromStdString(run_->model->maskPiece))
                     : tr("See its predictions and its maps for the changes.");
    const auto shown = run_ ? trace::shownPath(*run_) : std::nullopt;
    const bool free = run_ && !run_->request.paths.empty() &&
                      (shown ? run_->request.paths[*shown] : run_->request.paths.back()).newTokens > 0;
    if (free && breaksCausality(run_->request.interventions))
        notes += run_->model->opensWithoutMask
                     ? tr("This model was trained without the mask. While it decodes, there are no later "
                          "tokens yet: force a target to see their effect.")
                     : tr("This model was trained with the mask, so lifting the mask mostly harms it. Force "
                          "a target to see the effect.");
    note_->setText(notes.join(' '));
    note_->setVisible(!notes.isEmpty());
}

/// With a decoder, compares the run that was fed the same tokens, so that the rows correspond.
void WhatIfView::showScores() {
    const auto head = selection_->head();
    const auto& changed = run_ && run_->model->decoderLayers == 0 ? run_ : forced_;
    const auto* before = original_ ? original_->record(head.site) : nullptr;
    const auto* after = changed ? changed->record(head.site) : nullptr;
    const bool wanted = before && after && scalesScores(changed->request);
    const bool notStored = wanted && (before->isRecomputed() || after->isRecomputed());
    const bool any = wanted && !notStored;
    scores_->setScores(any ? analysis::compareScores(*before, *after, head.head, ScoreHistogram::bins,
                                                     analysis::fedTokens(*changed, head.site.kind))
                           : analysis::ScoreComparison(),
                       any ? analysis::compareEntropy(*original_, *changed, head) : std::nullopt);
    const QString words =
        notStored ? tr("The distribution of the scores is not shown. %1")
                        .arg(whyNotStored(before->isRecomputed() ? *original_ : *changed, head.site))
                  : scores_->inWords();
    scoresWords_->setVisible(!words.isEmpty());
    scoresWords_->setText(words.isEmpty() ? QString()
                                          : tr("%1. %2").arg(headTitle(*changed->model, head), words));
}

bool WhatIfView::hasFigure() const {
    return run_ && original_ && !steps_->steps().empty();
}

std::optional<FigureBlocks> WhatIfView::figureBlocks() const {
    constexpr double step = 64, least = 560, most = 1600, bars = 232, gap = 4;
    if (!hasFigure())
        return std::nullopt;
    const FigureBlock block{
        .size = [=, this](double width) { return QSizeF(width, bars + gap + tokensBelow(width).height()); },
        .draw =
            [=, this](QPainter& painter, const QRectF& area, const Theme& theme) {
                const LabelsBelow labels = tokensBelow(area.width());
                const QRectF above = area.adjusted(0, 0, 0, -gap - labels.height());
                StepBars{.steps = steps_->steps(),
                         .compared = compared(),
                         .area = above,
                         .font = font(),
                         .widest = area.width(),
                         .decoded = rowsDecoded()}
                    .draw(painter, theme);
                labels.draw(painter, above.bottomLeft() + QPointF(0, gap), theme);
            },
        .note = [this](const QRectF& area) { return tokensBelow(area.width()).inWords(); }};
    return FigureBlocks{.picture = block,
                        .caption = figureText().caption,
                        .font = font(),
                        .width = std::clamp(step * static_cast<double>(steps_->steps().size()), least, most)};
}

void WhatIfView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
}

/// Upright if they are wider than the bars.
LabelsBelow WhatIfView::tokensBelow(double width) const {
    LabelsBelow below{.font = font(), .decoded = rowsDecoded(), .spaceMarks = spaceMarks_};
    for (const auto& step : steps_->steps())
        below.labels.push_back(labelOf(step));
    below.pitch = (width - 1) / static_cast<double>(std::max<std::size_t>(1, below.labels.size()));
    below.upright = below.widest() + 4 > below.pitch;
    return below;
}

FigureText WhatIfView::figureText() const {
    if (!hasFigure())
        return {};
    QStringList changes;
    const auto made = effective(run_->request.interventions);
    for (const auto& change : made)
        changes += changeTitle(change);
    const bool isDecoded = compared() == analysis::Compared::Steps;
    const auto said = [=](const trace::Run& run) {
        return isDecoded ? isolated(QString::fromStdString(run.output)) : predictionInWords(run) + '.';
    };
    const QString what =
        isDecoded ? tr("Changes at each step of the original output, in a model with: ")
        : compared() == analysis::Compared::Labels  ? tr("Changes at each token, in a model with: ")
        : compared() == analysis::Compared::Masks   ? tr("Changes at each mask, in a model with: ")
        : compared() == analysis::Compared::Answer  ? tr("Changes of the answer, in a model with: ")
        : compared() == analysis::Compared::Numbers ? tr("Changes of what is predicted, in a model with: ")
                                                    : tr("Changes of each class, in a model with: ");
    // Not arg(): user text may contain a placeholder such as %1.
    const QString caption = what + changes.join(QStringLiteral("; ")) + tr(". Original: ") +
                            said(*original_) + tr(" Changed: ") + said(*run_) + ' ' + sumInWords();
    return {.title = tr("What if"),
            .caption = caption,
            .provenance = provenance(*run_),
            .head = listedHeads(made),
            .quantity = compared() == analysis::Compared::Classes   ? tr("probability")
                        : compared() == analysis::Compared::Numbers ? tr("number")
                                                                    : tr("divergence")};
}

trace::FigureData WhatIfView::figureData() const {
    if (!hasFigure())
        return {};
    struct Names {
        const char *table, *number, *token;
    };
    static const std::map<analysis::Compared, Names> names{
        {analysis::Compared::Steps, {"steps", "step", "token"}},
        {analysis::Compared::Masks, {"masks", "mask", "token"}},
        {analysis::Compared::Labels, {"labels", "token", "label"}},
        {analysis::Compared::Answer, {"answer", "end", "token"}},
        {analysis::Compared::Numbers, {"numbers", "number", "label"}},
        {analysis::Compared::Classes, {"classes", "class", "label"}}};
    const auto& name = names.at(compared());
    QStringList tokens, contrasts;
    std::vector<double> numbers, divergences, before, after, differs;
    for (const auto& step : steps_->steps()) {
        numbers.push_back(static_cast<double>(numbers.size()));
        tokens += labelOf(step).full();
        if (step.contrast)
            contrasts += tokenLabel(*step.contrast).full();
        divergences.push_back(step.divergence);
        before.push_back(step.before);
        after.push_back(step.after);
        differs.push_back(step.topChanged ? 1 : 0);
    }
    if (compared() == analysis::Compared::Numbers)
        return {.tables = {{.name = name.table,
                            .columns = {dataColumn(name.number, numbers), dataColumn(name.token, tokens),
                                        dataColumn("before", before), dataColumn("after", after)}}}};
    trace::DataTable table{
        .name = name.table,
        .columns = {dataColumn(name.number, numbers), dataColumn(name.token, tokens),
                    dataColumn("kl", divergences), dataColumn("log_probability_before", before),
                    dataColumn("log_probability_after", after), dataColumn("first_choice_differs", differs)}};
    if (!contrasts.isEmpty())
        table.columns.push_back(dataColumn("compared_with", contrasts));
    return {.tables = {std::move(table)}};
}

QString WhatIfView::inWords() const {
    QStringList words;
    for (const QLabel* label : {note_, before_, after_, sum_, scoresWords_})
        if (!label->isHidden())
            words += label->text();
    return words.join('\n');
}

std::optional<PictureOptions> WhatIfView::picture(PictureOptions) const {
    return ofTheWhole("what-if");
}

} // namespace headscope::widgets
