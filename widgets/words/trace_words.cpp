#include "widgets/words/trace_words.h"

#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/quantity.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::widgets {

namespace {

struct TraceWords {
    Q_DECLARE_TR_FUNCTIONS(TraceWords)
};

} // namespace

QString inWords(const std::optional<trace::RefusalText>& refusal) {
    return refusal ? QString::fromStdString(trace::paragraph(*refusal)) : QString();
}

QString modelTitle(const trace::ModelSummary& model) {
    const QString name = QString::fromStdString(model.name);
    return model.recorded ? TraceWords::tr("%1 (trace)").arg(name) : name;
}

QString whyNothingRuns(const trace::ModelSummary& model) {
    if (!model.recorded)
        return {};
    return TraceWords::tr("This is a trace: one recorded run without the model's weights.\nOpen the model to "
                          "decode, change or measure anything else.");
}

QString whyNoHead(const trace::Run& run, const trace::HeadAddress& head) {
    using trace::AttentionKind;
    QStringList held;
    bool holdsKind = false;
    for (const auto kind : trace::attentionKinds)
        if (run.record({.kind = kind, .layer = 0})) {
            held += kindTitle(kind).toLower();
            holdsKind = holdsKind || kind == head.site.kind;
        }
    if (!run.model || !run.model->recorded || holdsKind)
        return TraceWords::tr(
                   "This model has no head %1. Choose another head in the overview or with the arrow keys.")
            .arg(address(head));
    return TraceWords::tr("%1 is not in this trace, which contains %2. Choose another kind of attention, or "
                          "press 1, 2 or 3.")
        .arg(kindTitle(head.site.kind), held.join(TraceWords::tr(" and ")));
}

QString whatIsNotHeld(const trace::Run& run) {
    using trace::AttentionKind;
    QStringList lacking;
    const bool decodesAlone = run.model && run.model->isDecoderAlone();
    for (const auto kind : trace::attentionKinds)
        if ((kind == AttentionKind::DecoderSelf || !decodesAlone) && !run.queryTokens(kind).empty() &&
            !run.keyTokens(kind).empty() && !run.record({.kind = kind, .layer = 0}))
            lacking += kindTitle(kind).toLower();
    return lacking.join(TraceWords::tr(" and "));
}

QStringList failuresInWords(const trace::SelfCheck& check) {
    QStringList failures;
    const auto add = [&](const trace::Finding& finding, const QString& notNumbers, const QString& wrong) {
        if (finding.state == trace::CheckState::Failed)
            failures += std::isfinite(finding.largest) ? wrong.arg(numberText(finding.largest)) : notNumbers;
    };
    add(check.rowsSumToOne, TraceWords::tr("some weights are not finite numbers"),
        TraceWords::tr("rows do not sum to 1 (off by up to %1)"));
    add(check.maskedCellsAreZero, TraceWords::tr("some weights of masked cells are not finite numbers"),
        TraceWords::tr("masked cells have weights (up to %1)"));
    add(check.weightsAreSoftmax, TraceWords::tr("some weights or scores are not finite numbers"),
        TraceWords::tr("weights are not the softmax of their scores (off by up to %1)"));
    add(check.logProbabilities, TraceWords::tr("some log-probabilities are not finite numbers"),
        TraceWords::tr("log-probabilities do not form a distribution (off by up to %1)"));
    add(check.cachedEqualsFullPass,
        TraceWords::tr("cached rows or the full pass contain values that are not finite numbers"),
        TraceWords::tr("cached rows differ from the full pass (by up to %1)"));
    return failures;
}

QString weightsInWords(const trace::Run& run) {
    const auto& check = run.selfCheck;
    if (const auto wrong = failuresInWords({.rowsSumToOne = check.rowsSumToOne,
                                            .maskedCellsAreZero = check.maskedCellsAreZero,
                                            .weightsAreSoftmax = check.weightsAreSoftmax});
        !wrong.isEmpty())
        return TraceWords::tr("Weights. The self-check of this run failed: %1.")
            .arg(wrong.join(QStringLiteral("; ")));
    const auto rows = check.rowsSumToOne.state;
    const bool isUnchecked = run.model && run.model->recorded &&
                             (rows == trace::CheckState::NotChecked || rows == trace::CheckState::Recorded);
    return isUnchecked ? TraceWords::tr("Weights as stored in the trace; the row sums were not checked.")
                       : quantityInWords(Quantity::Weights);
}

QString whyNoScores() {
    return TraceWords::tr("This trace contains no scores of this head. headscope-cli trace records them; "
                          "other programs write them as KIND/scores.");
}

QString whyNoScoreScale() {
    return TraceWords::tr(
        "This trace does not contain the scale factor of q · k. headscope-cli trace records it; other "
        "programs write it as [\"score_scale\", \"0.125\"] in \"architecture\" of \"model\".");
}

QString whyNoCandidates() {
    return TraceWords::tr("This trace contains no candidates of the next token. headscope-cli trace records "
                          "them; other programs write them as \"candidates\".");
}

QString whyNoBatch() {
    return TraceWords::tr(
        "A trace contains one run, so only its own sentence can be shown as a batch, and only if the file "
        "contains its ids and the model's vocabulary. headscope-cli trace records them.");
}

QString whyNoHeadWidth() {
    return TraceWords::tr("This trace does not contain d_k, the width of queries and keys. Record it with "
                          "headscope-cli trace --qkv; other programs write \"d_k\" in \"model\".");
}

} // namespace headscope::widgets
