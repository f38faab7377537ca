#include "app/sessions/session.h"

#include "app/sessions/choice_text.h"
#include "app/traces/request_json.h"
#include "model/files/findings.h"
#include "model/trace/head_importance.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headscope::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Kind = widgets::ChoiceSpec::Kind;

constexpr const char* sessionFormat = "headscope session";
constexpr files::JsonLimits limits{.depth = 16, .values = 500'000, .bytes = std::size_t{16} << 20};
constexpr int mostSteps = 1'000'000;
constexpr std::size_t mostPinnedHeads = 16;
constexpr std::size_t longestLayout = std::size_t{1} << 20;
constexpr int mostPixels = 1 << 24; // limit of a position in a layout

constexpr std::array<std::pair<std::optional<int> LitTokens::*, const char*>, 4> tokenNames{
    {{&LitTokens::sourceQuery, "source_query"},
     {&LitTokens::sourceKey, "source_key"},
     {&LitTokens::targetQuery, "target_query"},
     {&LitTokens::targetKey, "target_key"}}};

[[noreturn]] void refuse(const std::string& what, const std::string& where, const std::string& expected,
                         const std::string& found) {
    throw trace::Refusal({.what = what,
                          .where = where,
                          .expected = expected,
                          .found = files::printable(found),
                          .wayOut = "correct it, or leave it out"});
}

template <class Number>
Number within(const widgets::ChoiceSpec& rule, const std::string& where, Number number) {
    if (!(static_cast<double>(number) >= rule.low && static_cast<double>(number) <= rule.high))
        refuse("This choice means nothing", where, json(rule.low).dump() + " to " + json(rule.high).dump(),
               json(number).dump());
    return number;
}

std::string wordOf(const widgets::ChoiceSpec& rule, const std::string& where, std::string word) {
    if (rule.words.empty() || std::ranges::find(rule.words, word) != rule.words.end())
        return word;
    std::string expected;
    for (const auto& each : rule.words)
        expected += (expected.empty() ? "" : ", ") + (each.empty() ? "\"\"" : each);
    refuse("This choice means nothing", where, expected, word);
}

std::vector<double> numbersAt(const json& object, const std::string& key, const std::string& where) {
    std::vector<double> numbers;
    for (const auto& number : files::arrayAt(object, key, where)) {
        if (!number.is_number())
            refuse("This choice means nothing", where, "numbers", number.type_name());
        numbers.push_back(number.get<double>());
    }
    return numbers;
}

widgets::ChoiceValue choiceOf(const widgets::ChoiceSpec& rule, const json& object, const std::string& where) {
    switch (rule.kind) {
    case Kind::Flag:
        return files::booleanAt(object, rule.name, where);
    case Kind::Whole:
        return within(rule, where, files::integerAt(object, rule.name, where));
    case Kind::Number:
        return within(rule, where, files::numberAt(object, rule.name, where));
    case Kind::Text:
        return wordOf(rule, where, files::stringAt(object, rule.name, where));
    case Kind::Wholes: {
        auto numbers = files::integersAt(object, rule.name, where);
        for (const auto number : numbers)
            within(rule, where, number);
        return numbers;
    }
    case Kind::Numbers: {
        auto numbers = numbersAt(object, rule.name, where);
        for (const auto number : numbers)
            within(rule, where, number);
        return numbers;
    }
    case Kind::Texts:
        break;
    }
    return files::stringsAt(object, rule.name, where);
}

} // namespace

template <>
struct Form<trace::HeadAddress> {
    static std::string of(const trace::HeadAddress& head) { return trace::toString(head); }
    static trace::HeadAddress in(const json& text, const std::string& where) {
        const auto head = text.is_string() ? trace::parseHeadAddress(text.get<std::string>()) : std::nullopt;
        if (!head)
            refuse("A head of this session cannot be read", where, "an address such as cross.2.5",
                   text.is_string() ? text.get<std::string>() : text.type_name());
        return *head;
    }
};

template <>
struct Form<widgets::ChoiceValue> {
    static ordered_json of(const widgets::ChoiceValue& value) {
        return std::visit([](const auto& plain) { return ordered_json(plain); }, value);
    }
};

/// With the source's ids, which a trace has as arrays.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<std::shared_ptr<const trace::Request>>& request) {
    const auto ids = [&](auto& source) {
        visitor.required("source_ids", source.ids);
        visitor.ifAny("source_segments", source.segments);
    };
    if constexpr (Visitor::writes) {
        fields(visitor, *request);
        if (const auto* source = std::get_if<trace::SourceIds>(&request->source))
            ids(*source);
    } else {
        auto read = std::make_shared<trace::Request>();
        fields(visitor, *read);
        if (visitor.contains("source_ids"))
            ids(read->source.template emplace<trace::SourceIds>());
        request = std::move(read);
    }
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<ModelReference>& model) {
    if constexpr (!Visitor::writes)
        model.bundled = visitor.contains("bundled");
    visitor.required(model.bundled ? "bundled" : "path", model.path);
    visitor.ifAny("weights", model.weights);
    visitor.ifAny("settings", model.settings);
    if constexpr (!Visitor::writes)
        if (model.path.empty())
            refuse("The model of this session has no name", visitor.where(),
                   "a path or a bundled model's name", "nothing");
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<WindowLayout>& layout) {
    visitor.usual("geometry", layout.geometry);
    visitor.usual("panels", layout.panels);
    visitor.usual("inside", layout.inside);
    if constexpr (!Visitor::writes) {
        for (const auto& [key, text] :
             {std::pair("geometry", &layout.geometry), std::pair("panels", &layout.panels)})
            if (text->size() > longestLayout)
                refuse("The layout of this session is too large", inside(visitor.where(), key),
                       std::to_string(longestLayout) + " characters at most", std::to_string(text->size()));
        for (auto& [name, places] : layout.inside)
            for (auto& place : places)
                place = std::clamp(place, 0, mostPixels);
    }
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<LitTokens>& lit) {
    for (const auto& [part, name] : tokenNames)
        visitor.within(name, lit.*part, 0, std::numeric_limits<int>::max());
}

/// Only known choices are read; everything else is ignored.
template <class Visitor>
void choiceFields(Visitor& visitor, typename Visitor::template Of<widgets::Choices>& choices) {
    if constexpr (Visitor::writes) {
        for (const auto& [view, chosen] : choices)
            visitor.required(view.c_str(), chosen);
    } else {
        for (const auto& rule : widgets::choiceSpecs())
            visitor.part(rule.view.c_str(), [&](FieldReader& view) {
                if (view.contains(rule.name.c_str()))
                    choices[rule.view][rule.name] =
                        choiceOf(rule, view.object(), inside(view.where(), rule.name));
            });
    }
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<SessionState>& state) {
    visitor.ifAny("model", state.model);
    visitor.ifAny("typed", state.typed);
    visitor.ifAny("request", state.request);
    visitor.within("maximum_length", state.newTokens, 1, mostSteps);
    visitor.ifAny("shown_path", state.shown);
    visitor.part("selection", [&](auto& selection) {
        selection.usual("head", state.head);
        selection.within("step", state.step, 0, mostSteps);
        selection.ifAny("pinned", state.pinned);
        selection.ifAny("cursor", state.cursor);
        selection.ifAny("pinned_heads", state.pinnedHeads);
        if constexpr (!Visitor::writes)
            if (state.pinnedHeads.size() > mostPinnedHeads)
                refuse("This session pins too many heads", selection.where(),
                       std::to_string(mostPinnedHeads) + " at most",
                       std::to_string(state.pinnedHeads.size()));
    });
    visitor.ifAny("view", state.view);
    visitor.part("views", [&](auto& views) { choiceFields(views, state.choices); });
    visitor.ifAny("compared_weights", state.otherWeights);
    std::vector<std::string> measured;
    if (state.importanceMeasured)
        measured = {trace::HeadImportance::inFiles};
    visitor.ifAny("measured", measured);
    if constexpr (!Visitor::writes)
        state.importanceMeasured =
            std::ranges::find(measured, trace::HeadImportance::inFiles) != measured.end();
    visitor.ifAny("layout", state.layout);
}

namespace {

std::size_t bytesOf(const widgets::ChoiceValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return text->size();
    std::size_t bytes = 0;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        for (const auto& text : *texts)
            bytes += sizeof(text) + text.size();
    return bytes;
}

void refuseOther(const json& session, const std::string& where) {
    if (session.contains("format") && session.at("format") == sessionFormat)
        return;
    throw trace::Refusal(
        {.what = "This is no session of Headscope",
         .where = where,
         .expected = std::string("a JSON object whose \"format\" is \"") + sessionFormat + "\"",
         .wayOut = "open a file that File, Save Session wrote"});
}

/// There is only one version yet.
void refuseOtherVersion(const json& session, const std::string& where) {
    const auto version = files::integerAt(session, "version", where);
    if (version > sessionVersion)
        throw trace::Refusal({.what = "This session was written by a newer Headscope",
                              .where = inside(where, "version"),
                              .expected = "version " + std::to_string(sessionVersion) + " or older",
                              .found = "version " + std::to_string(version),
                              .wayOut = "open it with the newer program, or save it there anew"});
    if (version < 1)
        throw trace::Refusal({.what = "No session has such a version",
                              .where = inside(where, "version"),
                              .expected = "1 to " + std::to_string(sessionVersion),
                              .found = std::to_string(version),
                              .wayOut = "correct it"});
}

/// Text that is not JSON is returned as a string, which is refused later if another type is expected.
json jsonOrText(const std::string& text, const std::string& where) {
    try {
        return files::parseJson(text, where, limits);
    } catch (const trace::Refusal&) {
        return text;
    }
}

const widgets::ChoiceSpec& otherModelChoice() {
    return *std::ranges::find(widgets::choiceSpecs(), true, &widgets::ChoiceSpec::isModel);
}

} // namespace

std::string choiceText(const widgets::ChoiceValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    return toJson(value).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool operator==(const SessionState& a, const SessionState& b) {
    const bool sameRequests = a.request == b.request || (a.request && b.request && *a.request == *b.request);
    return sameRequests && a.model == b.model && a.typed == b.typed && a.newTokens == b.newTokens &&
           a.shown == b.shown && a.step == b.step && a.head == b.head && a.pinned == b.pinned &&
           a.cursor == b.cursor && a.pinnedHeads == b.pinnedHeads && a.view == b.view &&
           a.choices == b.choices && a.otherWeights == b.otherWeights &&
           a.importanceMeasured == b.importanceMeasured && a.layout == b.layout;
}

std::string otherModelOf(const SessionState& state) {
    const auto value = widgets::chosenValue(state.choices, otherModelChoice().view, otherModelChoice().name);
    return value ? std::get<std::string>(*value) : std::string();
}

void setOtherModel(SessionState& state, const std::string& pathOrName) {
    state.choices[otherModelChoice().view][otherModelChoice().name] = pathOrName;
}

std::size_t bytesOf(const SessionState& state) {
    constexpr std::size_t entry = 160; // bytes per map entry, with key and value
    std::size_t bytes = sizeof(state) + state.model.path.size() + state.typed.value_or("").size() +
                        state.shown.size() * sizeof(std::int64_t);
    for (const auto& [view, chosen] : state.choices)
        for (const auto& [name, value] : chosen)
            bytes += entry + bytesOf(value);
    if (state.layout)
        bytes += state.layout->geometry.size() + state.layout->panels.size();
    return bytes;
}

std::size_t bytesOf(const trace::Request& request) {
    std::size_t bytes = sizeof(request) + request.interventions.size() * sizeof(trace::Intervention);
    if (const auto* text = std::get_if<std::string>(&request.source))
        bytes += text->size() + (request.second ? request.second->size() : 0);
    else if (const auto* ids = std::get_if<trace::SourceIds>(&request.source))
        bytes += (ids->ids.size() + ids->segments.size()) * sizeof(std::int64_t);
    for (const auto& path : request.paths) {
        bytes += sizeof(path);
        if (const auto* text = std::get_if<std::string>(&path.forced))
            bytes += text->size();
        else if (const auto* forced = std::get_if<trace::TargetIds>(&path.forced))
            bytes += forced->ids.size() * sizeof(std::int64_t);
    }
    return bytes;
}

widgets::ChoiceValue parseChoice(const widgets::ChoiceSpec& rule, const std::string& text,
                                 const std::string& where) {
    json object;
    object[rule.name] = rule.kind == Kind::Text ? json(text) : jsonOrText(text, where);
    return choiceOf(rule, object, where);
}

std::string sessionText(const SessionState& state, std::string_view program) {
    ordered_json json{{"format", sessionFormat}, {"version", sessionVersion}, {"written_by", program}};
    FieldWriter writer(json);
    fields(writer, state);
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

SessionState parseSession(std::string_view text, const std::string& where) {
    const auto session = files::parseJson(text, where, limits);
    refuseOther(session, where);
    refuseOtherVersion(session, where);
    auto state = fromJson<SessionState>(session, where);
    if (state.request) {
        auto request = std::make_shared<trace::Request>(*state.request);
        setLength(*request, state.newTokens);
        state.request = std::move(request);
    }
    return state;
}

} // namespace headscope::app
