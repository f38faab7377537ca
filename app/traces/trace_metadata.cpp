#include "app/traces/trace_metadata.h"

#include "app/traces/request_json.h"
#include "app/traces/self_check_json.h"
#include "app/traces/token_json.h"
#include "app/traces/trace_analyses.h"
#include "app/traces/trace_names.h"
#include "app/version.h"

#include <nlohmann/json.hpp>

namespace headscope::app {

namespace {

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

/// Adds the position information that is not in the file's arrays.
void addPositions(ordered_json& json, const trace::ModelSummary& model) {
    json["position_kind"] = nameIn(positionKindNames, model.positionKind);
    if (!model.rotation.empty())
        json["rotation"] = model.rotation;
    const std::pair<const char*, const trace::DistanceBias*> biases[]{
        {"encoder_bias", model.encoderBias.get()}, {"decoder_bias", model.decoderBias.get()}};
    for (const auto& [key, bias] : biases)
        if (bias) {
            json[key] = {{"first", bias->first}, {"buckets", bias->buckets}};
            if (bias->layers > 1)
                json[key]["layers"] = bias->layers;
        }
}

ordered_json toJson(const trace::ModelSummary& model) {
    ordered_json json{{"name", model.name},
                      {"family", model.family},
                      {"family_title", model.familyTitle},
                      {"d_model", model.modelWidth},
                      {"d_ff", model.feedForwardWidth},
                      {"d_k", model.headWidth},
                      {"parameters", model.parameters},
                      {"bytes", model.bytes},
                      {"source_vocabulary", model.sourceVocabulary},
                      {"target_vocabulary", model.targetVocabulary},
                      {"maximum_positions", model.maximumPositions},
                      {"tokenizer", model.tokenizer},
                      {"source_language", model.sourceLanguage},
                      {"target_language", model.targetLanguage},
                      {"attribution", model.attribution},
                      {"labels", model.classLabels},
                      {"architecture", ordered_json::array()},
                      {"blocks", ordered_json::array()}};
    for (const auto& [key, value] : model.architecture)
        json["architecture"].push_back({key, value});
    for (const auto& [block, parameters] : model.blocks)
        json["blocks"].push_back({block, parameters});
    const std::array<std::pair<const char*, std::optional<std::int64_t>>, 5> special{
        {{"start_id", model.special.start},
         {"end_id", model.special.end},
         {"pad_id", model.special.padding},
         {"unknown_id", model.special.unknown},
         {"mask_id", model.special.mask}}};
    for (const auto& [key, id] : special)
        if (id)
            json[key] = *id;
    for (const auto& [key, width] : {std::pair("decoder_d_ff", model.decoderFeedForwardWidth),
                                     std::pair("decoder_d_k", model.decoderHeadWidth)})
        if (width > 0)
            json[key] = width;
    if (!model.special.furtherEnds.empty())
        json["further_end_ids"] = model.special.furtherEnds;
    addPositions(json, model);
    return json;
}

ordered_json toJson(const std::vector<trace::Candidate>& candidates) {
    auto list = ordered_json::array();
    for (const auto& candidate : candidates) {
        auto entry = app::toJson(candidate.token);
        entry["log_probability"] = candidate.logProbability;
        list.push_back(std::move(entry));
    }
    return list;
}

ordered_json candidates(const trace::Run& run) {
    auto rows = ordered_json::array();
    for (std::size_t t = 0; t < run.target.size(); ++t)
        rows.push_back(toJson(run.row(t).candidates));
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
        json["masks"].push_back({{"index", index}, {"candidates", toJson(candidates)}});
    if (!run.path.empty())
        json["tree"] = treeJson(run, withSearch);
    return json;
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
    json["model"] = toJson(*run.model);
    json["headscope"] = version();
    if (analyses.lens)
        json["lens"] = wordsOf(*analyses.lens);
    if (analyses.importance)
        json["importance"] = wordsOf(*analyses.importance);
    if (analyses.flow)
        json["flow"] = wordsOf(*analyses.flow);
    for (const auto& other : analyses.beside) {
        auto words = wordsOf(*other, false);
        words["model"] = {{"name", other->model->name}};
        json["beside"].push_back(std::move(words));
    }
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace headscope::app
