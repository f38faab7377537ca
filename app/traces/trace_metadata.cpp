#include "app/traces/trace_metadata.h"

#include "app/traces/request_json.h"
#include "app/traces/trace_analyses.h"
#include "app/traces/trace_fields.h"
#include "app/version.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::app {

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::DistanceBias>& bias) {
    visitor.required("first", bias.first);
    visitor.usual("buckets", bias.buckets);
    visitor.unless("layers", bias.layers, 1);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<ModelWords>& words) {
    auto& model = words.summary;
    visitor.usual("name", model.name);
    visitor.usual("family", model.family);
    visitor.usual("family_title", model.familyTitle);
    visitor.usual("d_model", model.modelWidth);
    visitor.usual("d_ff", model.feedForwardWidth);
    visitor.usual("d_k", model.headWidth);
    visitor.usual("parameters", model.parameters);
    visitor.usual("bytes", model.bytes);
    visitor.usual("source_vocabulary", model.sourceVocabulary);
    visitor.usual("target_vocabulary", model.targetVocabulary);
    visitor.usual("maximum_positions", model.maximumPositions);
    visitor.usual("tokenizer", model.tokenizer);
    visitor.usual("source_language", model.sourceLanguage);
    visitor.usual("target_language", model.targetLanguage);
    visitor.usual("attribution", model.attribution);
    visitor.usual("labels", model.classLabels);
    visitor.pairs("architecture", model.architecture);
    visitor.pairs("blocks", model.blocks);
    visitor.ifAny("start_id", model.special.start);
    visitor.ifAny("end_id", model.special.end);
    visitor.ifAny("pad_id", model.special.padding);
    visitor.ifAny("unknown_id", model.special.unknown);
    visitor.ifAny("mask_id", model.special.mask);
    visitor.unless("decoder_d_ff", model.decoderFeedForwardWidth, 0);
    visitor.unless("decoder_d_k", model.decoderHeadWidth, 0);
    visitor.ifAny("further_end_ids", model.special.furtherEnds);
    visitor.ifAny("position_kind", words.positionKind);
    visitor.ifAny("rotation", model.rotation);
    visitor.ifAny("encoder_bias", words.encoderBias);
    visitor.ifAny("decoder_bias", words.decoderBias);
}

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using trace::Token;

ordered_json pieces(const std::vector<Token>& tokens) {
    auto list = ordered_json::array();
    for (const auto& token : tokens)
        list.push_back(token.piece);
    return list;
}

ordered_json roles(const std::vector<Token>& tokens) {
    auto list = ordered_json::array();
    for (const auto& token : tokens)
        list.push_back(nameIn(roleNames, token.role));
    return list;
}

ordered_json ranges(const std::vector<Token>& tokens) {
    auto list = ordered_json::array();
    for (const auto& token : tokens)
        list.push_back(token.range ? ordered_json{token.range->begin, token.range->end} : ordered_json());
    return list;
}

/// Keeps only interventions that had an effect.
trace::Request asTraced(trace::Request request) {
    std::vector<trace::Intervention> changes;
    for (auto& change : effective(request.interventions))
        changes.push_back({.change = std::move(change)});
    request.interventions = std::move(changes);
    return request;
}

ModelWords wordsOf(const trace::ModelSummary& model) {
    const auto of = [](const auto& bias) { return bias ? std::optional(*bias) : std::nullopt; };
    return {.summary = model,
            .positionKind = model.positionKind,
            .encoderBias = of(model.encoderBias),
            .decoderBias = of(model.decoderBias)};
}

ordered_json candidates(const trace::Run& run) {
    auto rows = ordered_json::array();
    for (std::size_t t = 0; t < run.target.size(); ++t)
        rows.push_back(app::toJson(run.row(t).candidates));
    return rows;
}

/// For a trace that is saved again: restores the states of the file that it was read from.
trace::SelfCheck asRecorded(trace::SelfCheck check) {
    for (const auto finding : trace::allFindings)
        if ((check.*finding).state == trace::CheckState::Recorded)
            (check.*finding).state = trace::CheckState::Ok;
    return check;
}

/// Metadata of one run, without the runs for comparison.
ordered_json wordsOf(const trace::Run& run, bool withSearch) {
    const auto next = chosenByModel(run);
    auto logProbabilities = ordered_json::array(), ranks = ordered_json::array();
    for (std::size_t t = 1; t < run.path.size(); ++t) {
        logProbabilities.push_back(run.tree.node(run.path[t]).logProbability);
        if (const auto rank = run.tree.node(run.path[t]).rank; rank >= 0 && ranks.size() + 1 == t)
            ranks.push_back(rank); // only the leading ranks that are known
    }
    ordered_json json{
        {"source", pieces(run.source)},
        {"target", pieces(run.target)},
        {"next", pieces(next)},
        {"output", run.output},
        {"request", app::toJson(asTraced(run.request))},
        {"roles", {{"source", roles(run.source)}, {"target", roles(run.target)}, {"next", roles(next)}}},
        {"source_ranges", ranges(run.source)},
        {"forced_rows", run.forcedRows},
        {"candidates", candidates(run)},
        {"path_log_probabilities", logProbabilities},
        {"path_ranks", ranks},
        {"self_check", app::toJson(asRecorded(run.selfCheck))}};
    if (run.contrast)
        json["contrast"] = app::toJson(*run.contrast);
    for (const auto& [index, candidates] : run.maskCandidates)
        json["masks"].push_back({{"index", index}, {"candidates", app::toJson(candidates)}});
    if (!run.path.empty())
        json["tree"] = treeJson(run, withSearch);
    return json;
}

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

std::vector<trace::Candidate> candidateList(const json& list, const std::string& where) {
    std::vector<trace::Candidate> candidates;
    for (const auto& entry : list)
        candidates.push_back(fromJson<trace::Candidate>(entry, where));
    return candidates;
}

ModelWords modelIn(const json& json, const std::string& where) {
    auto words = fromJson<ModelWords>(objectOr(json, "model", where), where);
    for (auto* bias : {&words.encoderBias, &words.decoderBias})
        if (*bias)
            (*bias)->layers = std::max(1, (*bias)->layers);
    std::ranges::replace_if(
        words.summary.rotation, [](double radians) { return std::isnan(radians); }, 0);
    return words;
}

/// Reads one part if there is one.
template <class Part>
void readPart(const json& json, const char* key, const std::string& where, Part& part) {
    FieldReader(json, where).ifAny(key, part);
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
        readAt(json, "path_log_probabilities", where, metadata.logProbabilities);
    else
        metadata.logProbabilities = amongCandidates(metadata);
    metadata.ranks = files::integersAt(json, "path_ranks", where, {});
    metadata.selfCheck = fromJson<trace::SelfCheck>(objectOr(json, "self_check", where), where);
    metadata.output =
        json.contains("output") ? files::stringAt(json, "output", where) : trace::joinedText(metadata.next);
    readPart(json, "contrast", where, metadata.contrast);
    if (json.contains("tree"))
        metadata.tree = traceTree(files::objectAt(json, "tree", where), where);
    return metadata;
}

} // namespace

std::vector<Token> chosenByModel(const trace::Run& run) {
    auto next = run.next;
    for (std::size_t t = 0; t < run.forcedRows && t < next.size(); ++t)
        if (!run.row(t).candidates.empty())
            next[t] = run.row(t).candidates.front().token;
    return next;
}

std::string tokensJson(const trace::Run& run, const TraceAnalyses& analyses) {
    auto json = wordsOf(run, true);
    json["model"] = toJson(wordsOf(*run.model));
    json["headscope"] = version();
    if (analyses.lens)
        json["lens"] = toJson(wordsOf(*analyses.lens));
    if (analyses.importance)
        json["importance"] = toJson(wordsOf(*analyses.importance));
    if (analyses.flow)
        json["flow"] = toJson(*analyses.flow);
    for (const auto& other : analyses.beside) {
        auto words = wordsOf(*other, false);
        words["model"] = {{"name", other->model->name}};
        json["beside"].push_back(std::move(words));
    }
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

TraceMetadata parseTokensJson(std::string_view text, const std::string& where) {
    const auto json = files::parseJson(text, where);
    if (!json.is_object())
        throw trace::Refusal({.what = "The words of this trace cannot be read",
                              .where = where,
                              .expected = "a JSON object with the keys \"source\" and \"target\"",
                              .wayOut = "write it as the manual page traces.md describes"});
    auto metadata = metadataOf(json, where);
    metadata.model = modelIn(json, where);
    readPart(json, "lens", where, metadata.lens);
    readPart(json, "importance", where, metadata.importance);
    readPart(json, "flow", where, metadata.flow);
    if (json.contains("beside"))
        for (const auto& other : files::arrayAt(json, "beside", where)) {
            metadata.beside.push_back(metadataOf(other, where + ", \"beside\""));
            metadata.beside.back().model = modelIn(other, where);
        }
    return metadata;
}

} // namespace headscope::app
