#include "app/traces/request_json.h"

#include "app/traces/json_fields.h"
#include "model/files/findings.h"

#include <limits>

namespace headscope::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int many = 1'000'000;

/// A path as it is written.
struct PathWords {
    std::optional<std::string> target;
    std::optional<std::vector<std::int64_t>> ids;
    int newTokens = -1; ///< not said
    bool mayContinue = false;
    bool ends = false;
};

/// A request as it is written.
struct RequestWords {
    std::optional<std::string> source;
    std::optional<std::string> second;
    trace::Padding padding;
    PathWords last; ///< without what only a list of paths has
    std::vector<PathWords> paths;
    trace::Decoding decoding;
    std::optional<std::uint64_t> randomTwin;
    std::optional<std::string> ratherThan;
};

} // namespace

/// What belongs to sampling is written for samples, and where it is not what it usually is.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Decoding>& decoding) {
    const trace::Decoding usual;
    const auto isWritten = [&](auto trace::Decoding::*part) {
        return !Visitor::writes || decoding.sample || decoding.*part != usual.*part;
    };
    visitor.within("beam", decoding.beam, 0, 1000);
    visitor.within("length_penalty", decoding.lengthPenalty, -100.0, 100.0);
    visitor.within("min_length", decoding.minimumLength, 0, many);
    visitor.within("no_repeat", decoding.noRepeat, 0, many);
    visitor.usual("sample", decoding.sample);
    if (isWritten(&trace::Decoding::temperature))
        visitor.within("temperature", decoding.temperature, 1e-6, 1e6);
    if (isWritten(&trace::Decoding::topK))
        visitor.within("top_k", decoding.topK, 0, std::numeric_limits<int>::max());
    if (isWritten(&trace::Decoding::topP))
        visitor.within("top_p", decoding.topP, 1e-9, 1.0);
    if (isWritten(&trace::Decoding::seed))
        visitor.usual("seed", decoding.seed);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<PathWords>& path) {
    visitor.ifAny("target", path.target);
    visitor.ifAny("target_ids", path.ids);
    visitor.within("new_tokens", path.newTokens, 0, many);
    visitor.unless("goes_on", path.mayContinue, false);
    visitor.unless("ends", path.ends, false);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<RequestWords>& request) {
    visitor.ifAny("source", request.source);
    visitor.ifAny("second", request.second);
    visitor.within("pad_source", request.padding.source, 0, many);
    visitor.within("pad_target", request.padding.target, 0, many);
    fields(visitor, request.last);
    visitor.ifAny("paths", request.paths);
    visitor.usual("decoding", request.decoding);
    visitor.ifAny("random_twin", request.randomTwin);
    visitor.ifAny("rather_than", request.ratherThan);
}

namespace {

PathWords wordsOf(const trace::DecodePath& path) {
    PathWords words{.newTokens = path.newTokens, .mayContinue = path.mayContinue, .ends = path.ends};
    if (const auto* text = std::get_if<std::string>(&path.forced))
        words.target = *text;
    else if (const auto* given = std::get_if<trace::TargetIds>(&path.forced))
        words.ids = given->ids;
    return words;
}

trace::DecodePath pathOf(PathWords words, int newTokens) {
    trace::DecodePath path{.newTokens = words.newTokens < 0 ? newTokens : words.newTokens,
                           .mayContinue = words.mayContinue,
                           .ends = words.ends};
    if (words.target)
        path.forced = std::move(*words.target);
    else if (words.ids)
        path.forced = trace::TargetIds{std::move(*words.ids)};
    return path;
}

/// Writes "disable-head cross.2.5"; an intervention that is switched off is written as an object.
ordered_json wordsOf(const trace::Intervention& intervention) {
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
    RequestWords words{.second = request.second,
                       .padding = request.padding,
                       .last = wordsOf(request.paths.back()),
                       .decoding = request.decoding,
                       .randomTwin = request.randomTwin,
                       .ratherThan = request.ratherThan};
    if (const auto* text = std::get_if<std::string>(&request.source))
        words.source = *text;
    if (request.paths.size() > 1 || words.last.mayContinue || words.last.ends)
        for (const auto& path : request.paths)
            words.paths.push_back(wordsOf(path));
    words.last.mayContinue = words.last.ends = false;
    auto json = toJson(words);
    for (const auto& intervention : request.interventions)
        json["what_if"].push_back(wordsOf(intervention));
    return json;
}

trace::Request requestOf(const json& object, const std::string& where, int newTokens) {
    auto words = fromJson<RequestWords>(object, where);
    if (!object.contains("paths"))
        words.paths = {words.last};
    if (words.paths.empty())
        throw trace::Refusal({.what = "A request decodes nothing",
                              .where = where + ", \"paths\"",
                              .expected = "one path at least",
                              .found = "none",
                              .wayOut = "leave \"paths\" out, and the sentence is decoded"});
    trace::Request request{.second = words.second,
                           .padding = words.padding,
                           .decoding = words.decoding,
                           .randomTwin = words.randomTwin,
                           .ratherThan = words.ratherThan};
    request.source = trace::SourceIds(); // default without a sentence
    if (words.source)
        request.source = *words.source;
    request.paths.clear();
    for (auto& path : words.paths)
        request.paths.push_back(pathOf(std::move(path), newTokens));
    if (object.contains("what_if"))
        for (const auto& entry : files::arrayAt(object, "what_if", where))
            request.interventions.push_back(interventionOf(entry, where));
    return request;
}

} // namespace headscope::app
