#include "app/traces/request_json.h"
#include "app/traces/self_check_json.h"
#include "app/traces/token_json.h"
#include "app/traces/trace_metadata.h"
#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope::app {

namespace {

using nlohmann::json;
using trace::Token;

constexpr double notKnown = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> stringsOr(const json& object, const std::string& key, const std::string& where) {
    return object.contains(key) ? files::stringsAt(object, key, where) : std::vector<std::string>();
}

const json& objectOr(const json& object, const std::string& key, const std::string& where) {
    static const json none = json::object();
    return object.contains(key) ? files::objectAt(object, key, where) : none;
}

void refuseLength(const std::string& where, const std::string& key, std::size_t expected, std::size_t found) {
    if (expected != found)
        throw trace::Refusal({.what = "This trace contradicts itself",
                              .where = where + ", \"" + key + "\"",
                              .expected = std::to_string(expected) + " entries, one a token",
                              .found = std::to_string(found),
                              .wayOut = "write it anew"});
}

std::vector<Token> tokens(const json& object, const std::string& key, const std::string& where) {
    std::vector<Token> tokens;
    for (auto& piece : stringsOr(object, key, where))
        tokens.push_back({.id = -1, .piece = std::move(piece)});
    const auto names = stringsOr(objectOr(object, "roles", where), key, where);
    if (!names.empty())
        refuseLength(where, "roles." + key, tokens.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        tokens[i].role = valueIn(roleNames, names[i], where, "role of a token");
    return tokens;
}

void readRanges(const json& object, const std::string& where, std::vector<Token>& source) {
    if (!object.contains("source_ranges"))
        return;
    const auto& list = files::arrayAt(object, "source_ranges", where);
    refuseLength(where, "source_ranges", source.size(), list.size());
    for (std::size_t i = 0; i < source.size(); ++i)
        if (list[i].is_array() && list[i].size() == 2 && list[i][0].is_number_unsigned() &&
            list[i][1].is_number_unsigned() && list[i][0] <= list[i][1])
            source[i].range = {.begin = list[i][0].get<std::size_t>(), .end = list[i][1].get<std::size_t>()};
}

trace::ModelSummary summaryOf(const json& object, const std::string& where) {
    const auto text = [&](const char* key) { return files::stringAt(object, key, where, std::string()); };
    const auto number = [&](const char* key) { return files::integerAt(object, key, where, 0); };
    const auto id = [&](const char* key) {
        return object.contains(key) ? std::optional(files::integerAt(object, key, where)) : std::nullopt;
    };
    trace::ModelSummary model;
    model.name = text("name");
    model.family = text("family");
    model.familyTitle = text("family_title");
    model.modelWidth = static_cast<int>(number("d_model"));
    model.feedForwardWidth = static_cast<int>(number("d_ff"));
    model.headWidth = static_cast<int>(number("d_k"));
    model.decoderFeedForwardWidth = static_cast<int>(number("decoder_d_ff"));
    model.decoderHeadWidth = static_cast<int>(number("decoder_d_k"));
    model.parameters = number("parameters");
    model.bytes = number("bytes");
    model.sourceVocabulary = number("source_vocabulary");
    model.targetVocabulary = number("target_vocabulary");
    model.maximumPositions = number("maximum_positions");
    model.tokenizer = text("tokenizer");
    model.sourceLanguage = text("source_language");
    model.targetLanguage = text("target_language");
    model.attribution = text("attribution");
    model.classLabels = stringsOr(object, "labels", where);
    model.special.start = id("start_id");
    model.special.end = id("end_id");
    model.special.furtherEnds = files::integersAt(object, "further_end_ids", where, {});
    model.special.padding = id("pad_id");
    model.special.unknown = id("unknown_id");
    model.special.mask = id("mask_id");
    for (const auto& flag : object.value("architecture", json::array()))
        if (flag.is_array() && flag.size() == 2 && flag[0].is_string() && flag[1].is_string())
            model.architecture.emplace_back(flag[0], flag[1]);
    for (const auto& block : object.value("blocks", json::array()))
        if (block.is_array() && block.size() == 2 && block[0].is_string() && block[1].is_number_integer())
            model.blocks.emplace_back(block[0], block[1]);
    return model;
}

std::optional<trace::DistanceBias> biasOf(const json& model, const char* key, const std::string& where) {
    if (!model.contains(key))
        return std::nullopt;
    const auto& object = files::objectAt(model, key, where);
    trace::DistanceBias bias{.first = static_cast<int>(files::integerAt(object, "first", where))};
    for (const auto bucket : files::integersAt(object, "buckets", where, {}))
        bias.buckets.push_back(static_cast<int>(bucket));
    bias.layers = static_cast<int>(std::clamp<std::int64_t>(files::integerAt(object, "layers", where, 1), 1,
                                                            std::numeric_limits<int>::max()));
    return bias;
}

void readPositions(const json& model, const std::string& where, TraceMetadata& metadata) {
    if (model.contains("position_kind"))
        metadata.positionKind = valueIn(positionKindNames, files::stringAt(model, "position_kind", where),
                                        where, "kind of positions");
    if (model.contains("rotation"))
        for (const auto& radians : files::arrayAt(model, "rotation", where))
            metadata.model.rotation.push_back(radians.is_number() ? radians.get<double>() : 0);
    metadata.encoderBias = biasOf(model, "encoder_bias", where);
    metadata.decoderBias = biasOf(model, "decoder_bias", where);
}

std::vector<trace::Candidate> candidateList(const json& list, const std::string& where) {
    std::vector<trace::Candidate> candidates;
    for (const auto& entry : list) {
        // JSON has no NaN: it is written as null.
        const bool isNumber = !files::memberAt(entry, "log_probability", where).is_null();
        candidates.push_back({.token = tokenOf(entry, where),
                              .logProbability = static_cast<float>(
                                  isNumber ? files::numberAt(entry, "log_probability", where) : notKnown)});
    }
    return candidates;
}

/// Returns the candidates of the masked tokens among `tokens` source tokens.
std::map<std::size_t, std::vector<trace::Candidate>> masksOf(const json& object, const std::string& where,
                                                             std::size_t tokens) {
    std::map<std::size_t, std::vector<trace::Candidate>> masks;
    if (!object.contains("masks"))
        return masks;
    for (const auto& mask : files::arrayAt(object, "masks", where)) {
        const auto index = files::integerAt(mask, "index", where);
        if (index < 0 || static_cast<std::size_t>(index) >= tokens)
            throw trace::Refusal(
                {.what = "The words of this trace cannot be read",
                 .where = where + ", \"masks\"",
                 .expected = "indices of source tokens, from 0 and below " + std::to_string(tokens),
                 .found = std::to_string(index),
                 .wayOut = "write it as the manual page traces.md describes"});
        auto candidates = candidateList(files::arrayAt(mask, "candidates", where), where);
        if (!candidates.empty())
            masks[static_cast<std::size_t>(index)] = std::move(candidates);
    }
    return masks;
}

std::vector<std::vector<trace::Candidate>> candidatesOf(const json& object, const std::string& where,
                                                        std::size_t rows) {
    std::vector<std::vector<trace::Candidate>> candidates(rows);
    if (!object.contains("candidates"))
        return candidates;
    const auto& list = files::arrayAt(object, "candidates", where);
    refuseLength(where, "candidates", rows, list.size());
    for (std::size_t t = 0; t < rows; ++t)
        candidates[t] = candidateList(list[t], where);
    return candidates;
}

/// Returns the tokens chosen in each row; by default the next input tokens.
std::vector<Token> nextOf(const json& object, const std::string& where, const TraceMetadata& metadata) {
    auto next = tokens(object, "next", where);
    const auto& target = metadata.target;
    if (next.empty() && !target.empty()) {
        next.assign(target.begin() + 1, target.end());
        next.push_back({.id = -1});
    }
    refuseLength(where, "next", target.size(), next.size());
    return next;
}

/// Returns the log-probabilities of the tokens after the first, looked up among the candidates.
std::vector<double> amongCandidates(const TraceMetadata& metadata) {
    std::vector<double> found;
    for (std::size_t t = 0; t < metadata.candidates.size(); ++t) {
        const auto& token = t + 1 < metadata.target.size() ? metadata.target[t + 1] : metadata.next[t];
        const auto& candidates = metadata.candidates[t];
        const auto same = std::ranges::find_if(candidates, [&](const trace::Candidate& candidate) {
            return candidate.token.piece == token.piece && candidate.token.role == token.role;
        });
        found.push_back(same == candidates.end() ? notKnown : static_cast<double>(same->logProbability));
    }
    return found;
}

TraceMetadata metadataOf(const json& json, const std::string& where) {
    TraceMetadata metadata;
    metadata.source = tokens(json, "source", where);
    readRanges(json, where, metadata.source);
    metadata.target = tokens(json, "target", where);
    metadata.forcedRows = std::min(
        static_cast<std::size_t>(std::max<std::int64_t>(0, files::integerAt(json, "forced_rows", where, 0))),
        metadata.target.size());
    metadata.next = nextOf(json, where, metadata);
    metadata.request = requestOf(objectOr(json, "request", where), where, 0);
    metadata.candidates = candidatesOf(json, where, metadata.target.size());
    metadata.masks = masksOf(json, where, metadata.source.size());
    if (json.contains("path_log_probabilities"))
        for (const auto& value : files::arrayAt(json, "path_log_probabilities", where))
            metadata.logProbabilities.push_back(value.is_number() ? value.get<double>() : notKnown);
    else
        metadata.logProbabilities = amongCandidates(metadata);
    metadata.ranks = files::integersAt(json, "path_ranks", where, {});
    metadata.selfCheck = selfCheckOf(objectOr(json, "self_check", where), where);
    metadata.output =
        json.contains("output") ? files::stringAt(json, "output", where) : trace::joinedText(metadata.next);
    if (json.contains("contrast"))
        metadata.contrast = tokenOf(files::objectAt(json, "contrast", where), where);
    if (json.contains("tree"))
        metadata.tree = traceTree(files::objectAt(json, "tree", where), where);
    return metadata;
}

} // namespace

TraceMetadata parseTokensJson(std::string_view text, const std::string& where) {
    const auto json = files::parseJson(text, where);
    if (!json.is_object())
        throw trace::Refusal({.what = "The words of this trace cannot be read",
                              .where = where,
                              .expected = "a JSON object with the keys \"source\" and \"target\"",
                              .wayOut = "write it as the manual page traces.md describes"});
    auto metadata = metadataOf(json, where);
    metadata.model = summaryOf(objectOr(json, "model", where), where);
    readPositions(objectOr(json, "model", where), where, metadata);
    if (json.contains("lens"))
        metadata.lens = lensWords(files::objectAt(json, "lens", where), where);
    if (json.contains("importance"))
        metadata.importance = importanceWords(files::objectAt(json, "importance", where), where);
    if (json.contains("flow"))
        metadata.flow = flowWords(files::objectAt(json, "flow", where), where);
    if (json.contains("beside"))
        for (const auto& other : files::arrayAt(json, "beside", where)) {
            metadata.beside.push_back(metadataOf(other, where + ", \"beside\""));
            metadata.beside.back().model = summaryOf(objectOr(other, "model", where), where);
        }
    return metadata;
}

} // namespace headscope::app
