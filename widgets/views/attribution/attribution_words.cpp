#include "widgets/views/attribution/attribution_words.h"

#include "model/analysis/output/attribution_groups.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/change_words.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

namespace headscope::widgets {

namespace {

using PartKind = trace::LogitPart::Kind;

struct AttributionWords {
    Q_DECLARE_TR_FUNCTIONS(Attribution)
};

} // namespace

std::optional<trace::HeadAddress> headOf(const trace::LogitPart& part) {
    if (part.kind != PartKind::Head || !part.sublayer)
        return std::nullopt;
    const auto kind = part.sublayer->kind == trace::SublayerKind::Cross ? trace::AttentionKind::Cross
                                                                        : trace::AttentionKind::DecoderSelf;
    return trace::HeadAddress{{kind, part.sublayer->layer}, part.head};
}

QString partName(const trace::LogitPart& part) {
    switch (part.kind) {
    case PartKind::Bias:
        return AttributionWords::tr("bias of the output");
    case PartKind::Embedding:
        return AttributionWords::tr("embedding");
    case PartKind::Position:
        return AttributionWords::tr("position");
    case PartKind::Head:
        return address(headOf(part).value_or(trace::HeadAddress()));
    case PartKind::AttentionBias:
        return AttributionWords::tr("bias");
    case PartKind::FeedForward:
        break;
    }
    return part.sublayer ? QString::fromStdString(trace::toString(*part.sublayer)) : QString();
}

QString partInWords(const trace::LogitPart& part, const trace::ModelSummary* model) {
    switch (part.kind) {
    case PartKind::Bias:
        return AttributionWords::tr("Bias of generator and final norm, independent of the input");
    case PartKind::Embedding:
        return AttributionWords::tr("Embedding of the input token");
    case PartKind::Position:
        return AttributionWords::tr("Positional vector of the step");
    case PartKind::AttentionBias:
        return part.sublayer ? AttributionWords::tr("%1: bias of the output projection")
                                   .arg(sublayerTitle(*part.sublayer))
                             : QString();
    case PartKind::Head:
        if (const auto head = headOf(part); head && model)
            return headTitle(*model, *head);
        [[fallthrough]];
    case PartKind::FeedForward:
        break;
    }
    return part.sublayer ? sublayerTitle(*part.sublayer) : QString();
}

QString logitTitle(const trace::LogitAttribution& attribution) {
    const QString token = quoted(tokenLabel(attribution.token));
    return attribution.contrast ? AttributionWords::tr("Logit of %1 compared with %2")
                                      .arg(token, quoted(tokenLabel(*attribution.contrast)))
                                : AttributionWords::tr("Logit of %1").arg(token);
}

QString attributionCaption(const trace::LogitAttribution& attribution, const trace::Run& run,
                           const trace::Lens& lens, int step) {
    const QString model = lensModelName(run, lens);
    const bool isChanged = !effective(run.request.interventions).empty();
    const QString difference =
        attribution.contrast ? AttributionWords::tr(", the difference of both logits,") : QString();
    return AttributionWords::tr("%1%2 at step %3 of %4 in %5%6, as the sum of all contributions to the "
                                "residual stream, with the final norm's divisor held fixed.")
        .arg(logitTitle(attribution), difference, QString::number(step + 1),
             QString::number(run.target.size()), model,
             isChanged ? AttributionWords::tr(", changed") : QString());
}

QString attributionSum(const trace::LogitAttribution& attribution) {
    const QString sum = numberText(analysis::sumOfParts(attribution));
    const QString logit = numberText(attribution.logit);
    const QString relation =
        analysis::partsSumToLogit(attribution) ? QStringLiteral("=") : QString(QChar(0x2260));
    return attribution.contrast
               ? AttributionWords::tr("sum of the parts %1 %2 difference of the logits %3")
                     .arg(sum, relation, logit)
               : AttributionWords::tr("sum of the parts %1 %2 logit %3").arg(sum, relation, logit);
}

} // namespace headscope::widgets
