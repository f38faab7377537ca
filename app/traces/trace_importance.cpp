#include "app/traces/trace_importance.h"

#include "app/traces/token_json.h"
#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"

#include <utility>

namespace headscope::app {

namespace {

using trace::HeadEffect;

constexpr const char* originalName = "importance/undisturbed";
constexpr const char* effectsName = "importance/heads";
constexpr const char* importanceDivergenceName = "importance/divergence";

} // namespace

std::vector<files::NamedArray> importanceArrays(const trace::HeadImportance& importance) {
    const auto tokens = size(importance.tokens.size());
    const auto ofHeads = [&](const char* name, std::vector<float> HeadEffect::*part) {
        std::vector<float> values;
        for (const auto& effect : importance.effects)
            values.insert(values.end(), (effect.*part).begin(), (effect.*part).end());
        return files::floatArray(name, {size(importance.effects.size()), tokens}, values);
    };
    return {files::floatArray(originalName, {tokens}, importance.original),
            ofHeads(effectsName, &HeadEffect::importance),
            ofHeads(importanceDivergenceName, &HeadEffect::divergence)};
}

nlohmann::ordered_json wordsOf(const trace::HeadImportance& importance) {
    nlohmann::ordered_json json{{"heads", nlohmann::ordered_json::array()},
                                {"tokens", toJson(importance.tokens)}};
    for (const auto& effect : importance.effects)
        json["heads"].push_back(toString(effect.head));
    if (importance.contrast)
        json["contrast"] = toJson(*importance.contrast);
    return json;
}

ImportanceWords importanceWords(const nlohmann::json& object, const std::string& where) {
    ImportanceWords words{.heads = files::stringsAt(object, "heads", where),
                          .tokens = tokensAt(object, "tokens", where)};
    if (object.contains("contrast"))
        words.contrast = tokenOf(files::objectAt(object, "contrast", where), where);
    return words;
}

std::shared_ptr<const trace::HeadImportance>
readImportance(TraceTensors& tensors, const ImportanceWords& words, const trace::Run& run) {
    const auto tokens = words.tokens.size();
    const std::vector<std::int64_t> shape{size(words.heads.size()), size(tokens)};
    const auto *original = tensors.find(originalName, {shape[1]}),
               *effects = tensors.find(effectsName, shape),
               *divergence = tensors.find(importanceDivergenceName, shape);
    if (!original || !effects || !divergence || tokens == 0)
        return nullptr;
    // An encoder alone has no steps: one entry of a class, or one for each mask.
    if (tokens > std::max<std::size_t>(1, run.target.empty() ? run.source.size() : run.target.size())) {
        tensors.addFinding("\"importance.tokens\" are more than there are steps or masks");
        return nullptr;
    }
    auto importance = std::make_shared<trace::HeadImportance>();
    importance->tokens = words.tokens;
    importance->contrast = words.contrast;
    importance->original = tensors.list(*original);
    const auto values = tensors.values(*effects), nats = tensors.values(*divergence);
    for (std::size_t i = 0; i < words.heads.size(); ++i) {
        const auto head = trace::parseHeadAddress(words.heads[i]);
        const auto* record = head ? run.record(head->site) : nullptr;
        if (!record || head->head < 0 || static_cast<std::size_t>(head->head) >= record->heads()) {
            tensors.addFinding("\"importance.heads\" names " + words.heads[i] + ", which has no weights");
            return nullptr;
        }
        const auto row = [&](const std::shared_ptr<const float>& all) {
            return std::vector(all.get() + i * tokens, all.get() + (i + 1) * tokens);
        };
        importance->effects.push_back({.head = *head, .importance = row(values), .divergence = row(nats)});
    }
    importance->complete = true;
    return importance;
}

} // namespace headscope::app
