#include "app/traces/array_fields.h"
#include "app/traces/trace_results.h"

#include <algorithm>

namespace headscope::app {

namespace {

using trace::HeadEffect;
using trace::HeadImportance;

/// The effects of all heads are in the value already, with a number for each token.
template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<HeadImportance>& importance) {
    const auto tokens = importance.tokens.size();
    const Shape shape{size(importance.effects.size()), size(tokens)};
    const auto ofHeads = [&](const char* name, std::vector<float> HeadEffect::*part) {
        return arrays.each(
            name, shape, [&](std::size_t i) -> auto& {
                return (importance.effects[i / tokens].*part)[i % tokens];
            });
    };
    const bool original = arrays.list("importance/undisturbed", {size(tokens)}, importance.original),
               effects = ofHeads("importance/heads", &HeadEffect::importance),
               divergence = ofHeads("importance/divergence", &HeadEffect::divergence);
    return original && effects && divergence;
}

} // namespace

std::vector<files::NamedArray> importanceArrays(const HeadImportance& importance) {
    ArrayWriter writer;
    numbers(writer, importance);
    return writer.arrays();
}

ImportanceWords wordsOf(const HeadImportance& importance) {
    ImportanceWords words{.heads = {}, .tokens = importance.tokens, .contrast = importance.contrast};
    for (const auto& effect : importance.effects)
        words.heads.push_back(toString(effect.head));
    return words;
}

std::shared_ptr<const HeadImportance> readImportance(TraceTensors& tensors, const ImportanceWords& words,
                                                     const trace::Run& run) {
    const auto tokens = words.tokens.size();
    auto importance = std::make_shared<HeadImportance>();
    importance->tokens = words.tokens;
    importance->contrast = words.contrast;
    const std::vector<float> none(tokens);
    importance->effects.assign(words.heads.size(), {.head = {}, .importance = none, .divergence = none});
    if (ArrayReader reader(tensors); !numbers(reader, *importance))
        return nullptr;
    // An encoder alone has no steps: one entry of a class, or one for each mask.
    if (tokens > std::max<std::size_t>(1, run.target.empty() ? run.source.size() : run.target.size())) {
        tensors.addFinding("\"importance.tokens\" are more than there are steps or masks");
        return nullptr;
    }
    for (std::size_t i = 0; i < words.heads.size(); ++i) {
        const auto head = trace::parseHeadAddress(words.heads[i]);
        const auto* record = head ? run.record(head->site) : nullptr;
        if (!record || head->head >= record->heads()) {
            tensors.addFinding("\"importance.heads\" names " + words.heads[i] + ", which has no weights");
            return nullptr;
        }
        importance->effects[i].head = *head;
    }
    importance->complete = true;
    return importance;
}

} // namespace headscope::app
