#include "widgets/views/compare/compared_quantity.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/runs_beside.h"
#include "widgets/map/shown_map.h"
#include "widgets/views/compare/chosen_other.h"
#include "widgets/words/plain_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

struct QuantityAnswerWords {
    Q_DECLARE_TR_FUNCTIONS(QuantityAnswerWords)
};

/// What a gradient is of in B: the same class, or the step that stands beside that of A. Empty: nothing is.
std::optional<std::size_t> stepOfSecond(const CompareAnswer& answer, std::size_t step) {
    const auto& pair = answer.question.pair;
    if (pair.first->classLogProbabilities.size() != pair.second->classLogProbabilities.size())
        return std::nullopt;
    if (pair.steps || !pair.first->classLogProbabilities.empty() || pair.first->target.empty())
        return pair.steps ? pair.steps->second : step;
    const bool isAlone = pair.first->cross.empty() || pair.second->cross.empty();
    const auto& axis =
        answer.alignment.queriesOf(isAlone ? trace::AttentionKind::DecoderSelf : trace::AttentionKind::Cross);
    for (const auto& place : axis.places)
        if (place.isPair())
            if (const auto& span = axis.first[*place.first].tokens; span.first <= step && step < span.last)
                return axis.second[*place.second].tokens.first;
    return std::nullopt;
}

/// Why runs cannot have the quantity on these axes, whoever is asked; empty if they can.
QString whyNoQuantity(const CompareAnswer& weights, Quantity quantity) {
    const auto& [pair, head, chosen] = weights.question;
    const QString name = capitalised(quantityName(quantity));
    if (!isPerHead(quantity))
        return QuantityAnswerWords::
            tr("%1: all heads share one map, so single heads cannot be compared. Choose another quantity.")
                .arg(name);
    if (isLong(weights))
        return QuantityAnswerWords::tr(
                   "These maps are too large to compare in a quantity other than weights: at most %1 million "
                   "cells each. Choose weights, or shorter sentences.")
            .arg(mostKeptCells / 1'000'000);
    if (!isScore(quantity))
        return {};
    if (weights.alignment.by == analysis::AlignBy::Words)
        return QuantityAnswerWords::tr(
                   "%1 exist per token only and cannot be summed over a word, but the tokenizers of A and B "
                   "differ. Choose another quantity, or another model.")
            .arg(name);
    for (const auto& [side, run, at] :
         {std::tuple("A", pair.first, head), std::tuple("B", pair.second, *weights.other)})
        if (analysis::lacksScores(*run->record(at.site)))
            return QStringLiteral("%1: %2").arg(QLatin1String(side), whyNoScores());
    return {};
}

} // namespace

Quantity shownQuantity(const DocumentState& document) {
    return static_cast<Quantity>(chosenWord(document, "compare", "quantity"));
}

QuantityAnswer inQuantity(const ViewContext& context, std::size_t shownStep,
                          std::shared_ptr<const CompareAnswer> weights) {
    const auto& document = *context.document;
    const auto quantity = shownQuantity(document);
    if (!weights || quantity == Quantity::Weights || weights->maps.empty())
        return {.answer = std::move(weights)};
    if (const QString why = whyNoQuantity(*weights, quantity); !why.isEmpty())
        return {.whyNot = why};
    const auto& [pair, head, chosen] = weights->question;
    ComparedQuantity asks{.weights = weights, .quantity = quantity};
    QuantityAnswer found;
    if (const auto computed = computedFor(quantity); computed && document.request) {
        const auto first = mapsWhat(*pair.first, *computed, head.site, shownStep, document.chosenClass);
        const bool isGradient = quantity == Quantity::GradientAttention;
        const auto step = isGradient ? stepOfSecond(*weights, first.step) : 0;
        if (!step)
            return {.whyNot = QuantityAnswerWords::tr("No step of B matches this step of A, so no gradients "
                                                      "can be compared. Choose another step.")};
        OtherMaps second{.request = pair.steps ? *document.request : analysis::shownRequest(*pair.second),
                         .what = {.quantity = *computed, .site = weights->other->site, .step = *step}};
        if (isGradient)
            second.request.ratherThan = document.request->ratherThan;
        if (shownWith(document) == CompareBar::With::Model)
            second.secondModel = document.second.model;
        found.wanted = {trace::Question{.request = *document.request, .what = first}, trace::Counted(second)};
        for (std::size_t i = 0; i < found.wanted.size(); ++i)
            if (const auto refusal = context.known->refusalOf(found.wanted[i]))
                return {.whyNot =
                            QStringLiteral("%1: %2").arg(QLatin1String(i == 0 ? "A" : "B"), inWords(refusal)),
                        .wanted = std::move(found.wanted)};
        const auto ofSecond = context.known->of(second);
        asks.first = context.known->of(*document.request, first);
        asks.second = ofSecond ? *ofSecond : nullptr;
        if (!asks.first || !asks.second)
            return found;
    }
    found.wanted.emplace_back(trace::Counted(asks));
    found.answer = context.known->of(asks);
    found.whyNot = inWords(context.known->refusalOf(found.wanted.back()));
    return found;
}

} // namespace headscope::widgets
