#include "model/trace/quantity_maps.h"
#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults& known, const std::stop_token&) {
    if (!run.classLogProbabilities.empty())
        return known.classifier != nullptr;
    const auto kind =
        run.model->isDecoderAlone() ? trace::AttentionKind::DecoderSelf : trace::AttentionKind::Cross;
    return known.hasKnockOut && std::ranges::any_of(known.maps, [kind](const auto& map) {
               return map->quantity == trace::MapQuantity::Contribution && map->site.kind == kind;
           });
}

const char* titleOf(const trace::ModelSummary& model) {
    return model.isDecoderAlone() ? QT_TRANSLATE_NOOP("ViewSpec", "Earlier tokens")
                                  : QT_TRANSLATE_NOOP("ViewSpec", "Source words");
}

std::optional<Lack> lacksAnswer(const DocumentState& document) {
    return lacksClasses(document) ? lacksDecoder(document) : std::nullopt;
}

} // namespace

ViewSpec views::source_words() {
    return {.key = "source-words",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Source words"),
            .titleOf = titleOf,
            .synonyms = QT_TRANSLATE_NOOP("Actions", "knock-out, saliency, attribution of words, ALTI+"),
            .drawn = {{"unnamed", "why", "unnamed"},
                      {"baseline", "why", "baseline"},
                      {"twin-seed", "random-twin", "seed"}},
            .needs = "a model with a decoder, or one that classifies",
            .lacks = lacksAnswer,
            .ofTrace =
                "record the trace again with --knock-out and --quantities, or open the model that it was "
                "recorded from",
            .needsTwin = isOfTwin,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
