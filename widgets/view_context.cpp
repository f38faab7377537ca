#include "widgets/view_context.h"

#include "model/analysis/runs_beside.h"
#include "widgets/view_spec.h"

#include <algorithm>

namespace headscope::widgets {

const DocumentState& emptyDocument() {
    static const DocumentState empty;
    return empty;
}

ChoiceValue chosenValue(const DocumentState& document, const ChoiceSpec& choice) {
    return chosenValue(document.choices, choice.view, choice.name).value_or(usualValue(choice));
}

int chosenWord(const DocumentState& document, const char* view, const char* name) {
    const auto* choice = choiceSpec(view, name);
    if (!choice)
        return 0;
    const auto found =
        std::ranges::find(choice->words, std::get<std::string>(chosenValue(document, *choice)));
    return found == choice->words.end() ? 0 : found - choice->words.begin();
}

bool chosenFlag(const DocumentState& document, const char* view, const char* name) {
    const auto* choice = choiceSpec(view, name);
    return choice && std::get<bool>(chosenValue(document, *choice));
}

bool hasTwin(const DocumentState& document) {
    return chosenFlag(document, "random-twin", "on");
}

Choices withTwin() {
    return {{"random-twin", {{"on", true}}}};
}

std::optional<trace::Question> twinRunQuestion(const DocumentState& document) {
    if (!hasTwin(document) || !document.request)
        return std::nullopt;
    auto request = *document.request;
    request.ratherThan.reset();
    return trace::Question{analysis::twinRequest(std::move(request), *document.run, document.twinSeed),
                           trace::RunWhat()};
}

std::optional<std::uint64_t> seedOfReadingTwin(const DocumentState& document) {
    const bool isTrace = document.run && document.run->model->recorded;
    return hasTwin(document) && !isTrace ? std::optional(document.twinSeed) : std::nullopt;
}

std::optional<trace::Request> twinReading(const DocumentState& document) {
    const auto seed = seedOfReadingTwin(document);
    return seed && document.request
               ? std::optional(analysis::twinReadingRequest(*document.request, *document.run, *seed))
               : std::nullopt;
}

Baseline baselineOf(const DocumentState& document) {
    const auto chosen = static_cast<Baseline>(chosenWord(document, "why", "baseline"));
    const bool isTrace = document.run && document.run->model && document.run->model->recorded;
    return chosen == Baseline::Twin && isTrace ? Baseline::None : chosen;
}

std::optional<analysis::ChangeEffectWhat> changeEffectQuestion(const DocumentState& document) {
    return document.request && analysis::hasEffect(*document.run)
               ? std::optional(analysis::ChangeEffectWhat{
                     .request = *document.request, .changed = document.run, .unchanged = document.unchanged})
               : std::nullopt;
}

std::shared_ptr<const trace::Run> originalRun(const ViewContext& context) {
    const auto question = changeEffectQuestion(*context.document);
    if (!question || context.document->unchanged)
        return question ? context.document->unchanged : nullptr;
    const auto effect = context.known->of(*question);
    return effect ? effect->original : nullptr;
}

trace::Ablation ablationOf(const DocumentState& document) {
    using Kind = trace::Ablation::Kind;
    const auto kind = static_cast<Kind>(chosenWord(document, "importance", "ablation"));
    if (kind != Kind::Resample)
        return {.kind = kind};
    return {.kind = kind, .sentence = chosenOr(document, "importance", "ablation-sentence", std::string())};
}

std::optional<trace::Question> importanceQuestion(const DocumentState& document) {
    return document.request ? std::optional(trace::Question{*document.request,
                                                            trace::ImportanceWhat{ablationOf(document)}})
                            : std::nullopt;
}

bool isMeasured(const DocumentState& document, const trace::KnownAnswers& known) {
    const auto question = importanceQuestion(document);
    return question && known.isAwaited(*question);
}

std::optional<trace::Question> twinImportanceQuestion(const DocumentState& document) {
    const auto request = twinReading(document);
    return request ? std::optional(trace::Question{*request, trace::ImportanceWhat{ablationOf(document)}})
                   : std::nullopt;
}

ShownImportance shownImportance(const ViewContext& context) {
    const auto& document = *context.document;
    ShownImportance shown{.run = document.run};
    if (!document.request)
        return shown;
    const trace::ImportanceWhat what{ablationOf(document)};
    shown.importance = context.known->of(*document.request, what);
    if (shown.importance || !document.measured || isMeasured(document, *context.known))
        return shown;
    const auto& now = *document.request;
    const auto& then = document.measured->request;
    if (now.source == then.source && now.padding == then.padding && now.ratherThan == then.ratherThan &&
        now.decoding == then.decoding) {
        shown.importance = context.known->of(then, what);
        shown.isEarlier = shown.importance && shown.importance->complete;
        if (shown.isEarlier)
            shown.run = document.measured->run;
        else
            shown.importance.reset();
    }
    return shown;
}

} // namespace headscope::widgets
