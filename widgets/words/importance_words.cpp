#include "widgets/words/importance_words.h"

#include "model/trace/class_label.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"
#include "widgets/view_spec.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::widgets {

namespace {

struct ImportanceWords {
    Q_DECLARE_TR_FUNCTIONS(Importance)
};

QString nameOf(const trace::HeadImportance& measured, std::size_t step) {
    return quoted(tokenLabel(measured.tokens, step));
}

bool isClassified(const trace::Run& run) {
    return run.target.empty() && (!run.model || run.model->classes > 0);
}

/// Inserts all texts at once, as a token may look like a placeholder.
QString whatChanges(const trace::HeadImportance& measured, const trace::Run& run, ImportanceScope scope) {
    const QString steps = QString::number(measured.tokens.size());
    const QString contrast =
        measured.contrast
            ? ImportanceWords::tr(" compared with %1").arg(quoted(tokenLabel(*measured.contrast)))
            : QString();
    if (isClassified(run)) {
        const std::size_t chosen = measured.tokens.front().id;
        return ImportanceWords::tr("the log-probability of %1%2 (which was chosen)")
            .arg(QString::fromStdString(trace::classLabel(run.model.get(), chosen)), contrast);
    }
    if (measured.areNumbers)
        return measured.tokens.size() == 1 ? ImportanceWords::tr("the predicted number")
               : scope ? ImportanceWords::tr("the number %1").arg(nameOf(measured, *scope))
                       : ImportanceWords::tr("the sum of all numbers");
    const bool areEnds = run.answerKind() == trace::AnswerKind::Ends;
    if (areEnds && scope)
        return (*scope == 0 ? ImportanceWords::tr("the log-probability that the answer starts at %1%2")
                            : ImportanceWords::tr("the log-probability that the answer ends at %1%2"))
            .arg(nameOf(measured, *scope), contrast);
    if (areEnds)
        return ImportanceWords::tr("the log-probability of the answer, from %1 to %2%3")
            .arg(nameOf(measured, 0), nameOf(measured, 1),
                 measured.contrast ? ImportanceWords::tr(", each%1").arg(contrast) : QString());
    const bool areLabels = run.model && run.model->tokenLabels > 0;
    if (areLabels && scope)
        return ImportanceWords::tr("the log-probability of %1%2 (the label of token %3 of %4)")
            .arg(nameOf(measured, *scope), contrast, QString::number(*scope + 1), steps);
    if (areLabels)
        return ImportanceWords::tr("the log-probability of the labels of all tokens (tokens: %1%2)")
            .arg(steps, measured.contrast ? ImportanceWords::tr(", each%1").arg(contrast) : QString());
    if (run.target.empty() && scope)
        return ImportanceWords::tr("the log-probability of %1%2 (the first candidate of mask %3 of %4)")
            .arg(nameOf(measured, *scope), contrast, QString::number(*scope + 1), steps);
    if (run.target.empty())
        return ImportanceWords::tr("the log-probability of the first candidates of all masks (masks: %1%2)")
            .arg(steps, measured.contrast ? ImportanceWords::tr(", each%1").arg(contrast) : QString());
    if (scope)
        return ImportanceWords::tr("the log-probability of %1%2 (step %3 of %4)")
            .arg(nameOf(measured, *scope), contrast, QString::number(*scope + 1), steps);
    return ImportanceWords::tr("the log-probability of the whole output (tokens: %1%2)")
        .arg(steps, measured.contrast ? ImportanceWords::tr(", each%1").arg(contrast) : QString());
}

QString withoutEach(const trace::Ablation& ablation) {
    switch (ablation.kind) {
    case trace::Ablation::Kind::Mean:
        return ImportanceWords::tr("with each head's output replaced by its mean");
    case trace::Ablation::Kind::Resample:
        return ImportanceWords::tr("with each head's output replaced by its output for “%1”")
            .arg(isolated(QString::fromStdString(ablation.sentence)));
    case trace::Ablation::Kind::Zero:
        break;
    }
    return ImportanceWords::tr("without each head");
}

} // namespace

QString headRemoved(trace::Ablation::Kind kind) {
    switch (kind) {
    case trace::Ablation::Kind::Mean:
        return ImportanceWords::tr("head set to its mean");
    case trace::Ablation::Kind::Resample:
        return ImportanceWords::tr("head resampled");
    case trace::Ablation::Kind::Zero:
        break;
    }
    return ImportanceWords::tr("head off");
}

QString oneHeadRemoved(trace::Ablation::Kind kind) {
    switch (kind) {
    case trace::Ablation::Kind::Mean:
        return ImportanceWords::tr("one head set to its mean");
    case trace::Ablation::Kind::Resample:
        return ImportanceWords::tr("one head resampled");
    case trace::Ablation::Kind::Zero:
        break;
    }
    return ImportanceWords::tr("one head off");
}

QString importanceTitle(const trace::HeadImportance& measured, const trace::Run& run, ImportanceScope scope) {
    return scope && *scope < measured.tokens.size() && !run.target.empty()
               ? ImportanceWords::tr("Head importance at step %1").arg(*scope + 1)
               : ImportanceWords::tr("Head importance");
}

QString importanceCaption(const trace::HeadImportance& measured, const trace::Run& run,
                          ImportanceScope scope) {
    const bool isChanged = !effective(run.request.interventions).empty();
    const QString forced = run.target.empty() ? QString()
                           : isChanged ? ImportanceWords::tr(", with the changed model's output forced")
                                       : ImportanceWords::tr(", with the original output forced");
    const QString model = run.model ? QString::fromStdString(run.model->name) : QString();
    return (measured.areNumbers
                ? ImportanceWords::tr("Loss in %1 %5%2; %3, %4 heads. Above 0: the head raises it. Below 0: "
                                      "the head lowers it.")
                : ImportanceWords::tr(
                      "Loss in %1 %5%2; %3, %4 heads. Above 0: the head helps. Below 0: the head hurts."))
        .arg(whatChanges(measured, run, scope), forced, model, QString::number(measured.effects.size()),
             withoutEach(measured.ablation));
}

QString shortImportanceCaption(const trace::HeadImportance& measured, const trace::Run& run,
                               ImportanceScope scope) {
    return ImportanceWords::tr("Loss in %1.").arg(whatChanges(measured, run, scope));
}

QString signedNumberText(double value) {
    const QString text = numberText(value);
    if (text == numberText(-0.0) || text == numberText(0))
        return numberText(0);
    return value > 0 ? shownNumber('+' + text) : text;
}

QString scoreInWords(const analysis::HeadScore& score, int rank, bool isOfNumber) {
    if (isOfNumber)
        return (score.importance > 0   ? ImportanceWords::tr("rank %1: %2 raises the prediction by %3")
                : score.importance < 0 ? ImportanceWords::tr("rank %1: %2 lowers the prediction by %3")
                                       : ImportanceWords::tr("rank %1: %2 does not change the prediction"))
            .arg(QString::number(rank), address(score.head), numberText(std::abs(score.importance)));
    const QString verdict = score.importance > 0   ? ImportanceWords::tr("helps")
                            : score.importance < 0 ? ImportanceWords::tr("hurts")
                                                   : ImportanceWords::tr("changes nothing");
    return ImportanceWords::tr("rank %1: %2, %3, %4 nats, KL %5 nats")
        .arg(rank)
        .arg(address(score.head), verdict, signedNumberText(score.importance), numberText(score.divergence));
}

QString whyNotMeasured(const trace::Run* run, const QWidget& view) {
    if (!run)
        return ImportanceWords::tr("Nothing is decoded yet. %1").arg(hintForNoRun(view));
    if (!run->complete)
        return ImportanceWords::tr("The sentence is still being decoded.");
    if (!run->model)
        return {};
    if (!run->model->hasAnswers())
        return QCoreApplication::translate("ViewSpec", noChoice());
    if (run->model->tokenPrediction == trace::TokenPrediction::Span && run->answers().empty())
        return ImportanceWords::tr("No token of the text can answer.");
    const bool isMasked = run->model->tokenPrediction == trace::TokenPrediction::Masked;
    return isMasked && run->maskCandidates.empty() && !run->model->recorded
               ? ImportanceWords::tr("Type %1 in place of a word to explain its prediction.")
                     .arg(QString::fromStdString(run->model->maskPiece))
               : QString();
}

} // namespace headscope::widgets
