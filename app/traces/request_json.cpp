#include "app/traces/request_json.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

#include <limits>

namespace headscope::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json toJson(const trace::Decoding& decoding) {
    ordered_json json{{"beam", decoding.beam},
                      {"length_penalty", decoding.lengthPenalty},
                      {"min_length", decoding.minimumLength},
                      {"no_repeat", decoding.noRepeat},
                      {"sample", decoding.sample}};
    const trace::Decoding usual;
    const auto add = [&](const char* key, auto trace::Decoding::*part) {
        if (decoding.sample || decoding.*part != usual.*part)
            json[key] = decoding.*part;
    };
    add("temperature", &trace::Decoding::temperature);
    add("top_k", &trace::Decoding::topK);
    add("top_p", &trace::Decoding::topP);
    add("seed", &trace::Decoding::seed);
    return json;
}

void addPath(ordered_json& json, const trace::DecodePath& path) {
    if (const auto* text = std::get_if<std::string>(&path.forced))
        json["target"] = *text;
    else if (const auto* given = std::get_if<trace::TargetIds>(&path.forced))
        json["target_ids"] = given->ids;
    json["new_tokens"] = path.newTokens;
}

/// Writes the last path in the form used for a single path; adds the list of all paths if necessary.
void addPaths(ordered_json& json, const std::vector<trace::DecodePath>& paths) {
    addPath(json, paths.back());
    if (paths.size() == 1 && !paths.back().mayContinue && !paths.back().ends)
        return;
    json["paths"] = ordered_json::array();
    for (const auto& path : paths) {
        ordered_json entry = ordered_json::object();
        addPath(entry, path);
        if (path.mayContinue)
            entry["goes_on"] = true;
        if (path.ends)
            entry["ends"] = true;
        json["paths"].push_back(std::move(entry));
    }
}

trace::DecodePath pathOf(const json& object, const std::string& where, int newTokens) {
    trace::DecodePath path;
    path.newTokens = wholeNumberAt(object, "new_tokens", where, newTokens);
    if (object.contains("target"))
        path.forced = files::stringAt(object, "target", where);
    else if (object.contains("target_ids"))
        path.forced = trace::TargetIds{files::integersAt(object, "target_ids", where)};
    path.mayContinue = files::booleanAt(object, "goes_on", where, false);
    path.ends = files::booleanAt(object, "ends", where, false);
    return path;
}

std::vector<trace::DecodePath> pathsOf(const json& object, const std::string& where, int newTokens) {
    if (!object.contains("paths"))
        return {pathOf(object, where, newTokens)};
    std::vector<trace::DecodePath> paths;
    for (const auto& path : files::arrayAt(object, "paths", where))
        paths.push_back(pathOf(path, where, newTokens));
    if (paths.empty())
        throw trace::Refusal({.what = "A request decodes nothing",
                              .where = where + ", \"paths\"",
                              .expected = "one path at least",
                              .found = "none",
                              .wayOut = "leave \"paths\" out, and the sentence is decoded"});
    return paths;
}

double numberAt(const json& object, const std::string& key, const std::string& where, double otherwise,
                double low, double high) {
    const double number = files::numberAt(object, key, where, otherwise);
    if (number >= low && number <= high)
        return number;
    throw trace::Refusal({.what = "A number means nothing",
                          .where = where + ", \"" + key + "\"",
                          .expected = json(low).dump() + " to " + json(high).dump(),
                          .found = json(number).dump(),
                          .wayOut = "correct it, or leave it out"});
}

trace::Decoding decodingOf(const json& object, const std::string& where) {
    constexpr int widest = 1000;
    const trace::Decoding usual;
    return {.beam = wholeNumberAt(object, "beam", where, usual.beam, 0, widest),
            .lengthPenalty = numberAt(object, "length_penalty", where, usual.lengthPenalty, -100, 100),
            .minimumLength = wholeNumberAt(object, "min_length", where, usual.minimumLength),
            .noRepeat = wholeNumberAt(object, "no_repeat", where, usual.noRepeat),
            .sample = files::booleanAt(object, "sample", where, usual.sample),
            .temperature = numberAt(object, "temperature", where, usual.temperature, 1e-6, 1e6),
            .topK = wholeNumberAt(object, "top_k", where, usual.topK, 0, std::numeric_limits<int>::max()),
            .topP = numberAt(object, "top_p", where, usual.topP, 1e-9, 1),
            .seed = object.contains("seed") ? seedAt(object, "seed", where) : usual.seed};
}

/// Writes "disable-head cross.2.5"; an intervention that is switched off is written as an object.
ordered_json toJson(const trace::Intervention& intervention) {
    const auto [option, argument] = toOption(intervention.change);
    const std::string words = argument.empty() ? option : option + " " + argument;
    if (intervention.on)
        return words;
    return {{"change", words}, {"on", false}};
}

/// Parses a change; errors include the name of the file.
trace::Change changeOf(const std::string& words, const std::string& where) {
    const auto space = words.find(' ');
    try {
        return trace::parseChange({.option = words.substr(0, space),
                                   .argument = space == std::string::npos ? "" : words.substr(space + 1)});
    } catch (const trace::Refusal& refusal) {
        auto text = refusal.text();
        text.where = where + ", \"what_if\", " + files::printable(words);
        throw trace::Refusal(text);
    }
}

trace::Intervention interventionOf(const json& entry, const std::string& where) {
    if (!entry.is_string() && !entry.is_object())
        throw trace::Refusal({.what = "A change in the model cannot be read",
                              .where = where + ", \"what_if\"",
                              .expected = "a text such as \"--disable-head cross.2.5\"",
                              .found = entry.type_name(),
                              .wayOut = "write it as the what-if options of the command line"});
    const std::string words =
        entry.is_string() ? entry.get<std::string>() : files::stringAt(entry, "change", where);
    return {.change = changeOf(words, where),
            .on = entry.is_string() || files::booleanAt(entry, "on", where, true)};
}

} // namespace

ordered_json toJson(const trace::Request& request) {
    ordered_json json = ordered_json::object();
    if (const auto* text = std::get_if<std::string>(&request.source))
        json["source"] = *text;
    if (request.second)
        json["second"] = *request.second;
    json["pad_source"] = request.padding.source;
    json["pad_target"] = request.padding.target;
    addPaths(json, request.paths);
    json["decoding"] = toJson(request.decoding);
    if (request.randomTwin)
        json["random_twin"] = *request.randomTwin;
    if (request.ratherThan)
        json["rather_than"] = *request.ratherThan;
    for (const auto& intervention : request.interventions)
        json["what_if"].push_back(toJson(intervention));
    return json;
}

int wholeNumberAt(const json& object, const std::string& key, const std::string& where, int otherwise,
                  int low, int high) {
    const auto number = files::integerAt(object, key, where, otherwise);
    if (number < low || number > high)
        throw trace::Refusal({.what = "A number means nothing",
                              .where = where + ", \"" + key + "\"",
                              .expected = std::to_string(low) + " to " + std::to_string(high),
                              .found = std::to_string(number),
                              .wayOut = "correct it, or leave it out"});
    return static_cast<int>(number);
}

std::uint64_t seedAt(const json& object, const std::string& key, const std::string& where) {
    const auto& value = files::memberAt(object, key, where);
    return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                      : static_cast<std::uint64_t>(files::integerAt(object, key, where));
}

trace::Request requestOf(const json& object, const std::string& where, int newTokens) {
    static const json none = json::object();
    trace::Request request;
    request.source = trace::SourceIds(); // default without a sentence
    if (object.contains("source"))
        request.source = files::stringAt(object, "source", where);
    if (object.contains("second"))
        request.second = files::stringAt(object, "second", where);
    request.padding = {.source = wholeNumberAt(object, "pad_source", where, 0),
                       .target = wholeNumberAt(object, "pad_target", where, 0)};
    request.paths = pathsOf(object, where, newTokens);
    request.decoding =
        decodingOf(object.contains("decoding") ? files::objectAt(object, "decoding", where) : none, where);
    if (object.contains("random_twin"))
        request.randomTwin = seedAt(object, "random_twin", where);
    if (object.contains("rather_than"))
        request.ratherThan = files::stringAt(object, "rather_than", where);
    if (object.contains("what_if"))
        for (const auto& entry : files::arrayAt(object, "what_if", where))
            request.interventions.push_back(interventionOf(entry, where));
    return request;
}

} // namespace headscope::app
