#include "app/traces/request_json.h"

#include "model/files/findings.h"

#include <limits>

namespace headscope::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int many = 1'000'000;

/// Parses a change; errors include the name of the file.
trace::Change changeOf(const std::string& words, const std::string& where) {
    const auto space = words.find(' ');
    try {
        return trace::parseChange({.option = words.substr(0, space),
                                   .argument = space == std::string::npos ? "" : words.substr(space + 1)});
    } catch (const trace::Refusal& refusal) {
        auto text = refusal.text();
        text.where = where + ", " + files::printable(words);
        throw trace::Refusal(text);
    }
}

} // namespace

/// "disable-head cross.2.5"; an intervention that is switched off is an object.
template <>
struct Form<trace::Intervention> {
    static ordered_json of(const trace::Intervention& intervention) {
        const auto [option, argument] = toOption(intervention.change);
        const std::string words = argument.empty() ? option : option + " " + argument;
        if (intervention.on)
            return words;
        return {{"change", words}, {"on", false}};
    }
    static trace::Intervention in(const json& entry, const std::string& where) {
        if (!entry.is_string() && !entry.is_object())
            throw trace::Refusal({.what = "A change in the model cannot be read",
                                  .where = where,
                                  .expected = "a text such as \"--disable-head cross.2.5\"",
                                  .found = entry.type_name(),
                                  .wayOut = "write it as the what-if options of the command line"});
        const std::string words =
            entry.is_string() ? entry.get<std::string>() : files::stringAt(entry, "change", where);
        return {.change = changeOf(words, where),
                .on = entry.is_string() || files::booleanAt(entry, "on", where, true)};
    }
};

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
void fields(Visitor& visitor, typename Visitor::template Of<trace::DecodePath>& path) {
    visitor.template held<std::string>("target", path.forced);
    visitor.template held<trace::TargetIds>("target_ids", path.forced, &trace::TargetIds::ids);
    if constexpr (!Visitor::writes)
        path.newTokens = lengthNotSaid;
    visitor.within("new_tokens", path.newTokens, 0, many);
    visitor.unless("goes_on", path.mayContinue, false);
    visitor.unless("ends", path.ends, false);
}

namespace {

template <class Visitor>
void requestFields(Visitor& visitor, typename Visitor::template Of<trace::Request>& request) {
    visitor.template held<std::string>("source", request.source);
    visitor.ifAny("second", request.second);
    visitor.within("pad_source", request.padding.source, 0, many);
    visitor.within("pad_target", request.padding.target, 0, many);
    auto last = request.paths.back(); // without what only a list of paths has
    if constexpr (Visitor::writes) {
        const bool isList = request.paths.size() > 1 || last.mayContinue || last.ends;
        last.mayContinue = last.ends = false;
        fields(visitor, std::as_const(last));
        if (isList)
            visitor.required("paths", request.paths);
    } else {
        fields(visitor, last);
        request.paths = {last};
        visitor.ifAny("paths", request.paths);
    }
    visitor.usual("decoding", request.decoding);
    visitor.ifAny("random_twin", request.randomTwin);
    visitor.ifAny("rather_than", request.ratherThan);
    visitor.ifAny("what_if", request.interventions);
}

} // namespace

void fields(FieldWriter& visitor, const trace::Request& request) {
    requestFields(visitor, request);
}

void fields(FieldReader& visitor, trace::Request& request) {
    requestFields(visitor, request);
    if (request.paths.empty())
        throw trace::Refusal({.what = "A request decodes nothing",
                              .where = inside(visitor.where(), "paths"),
                              .expected = "one path at least",
                              .found = "none",
                              .wayOut = "leave \"paths\" out, and the sentence is decoded"});
    if (!visitor.contains("source"))
        request.source = trace::SourceIds();
}

void setLength(trace::Request& request, int newTokens) {
    for (auto& path : request.paths)
        if (path.newTokens == lengthNotSaid)
            path.newTokens = newTokens;
}

} // namespace headscope::app
