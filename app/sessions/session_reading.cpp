#include "app/sessions/session.h"
#include "app/sessions/session_migration.h"
#include "app/sessions/session_names.h"
#include "app/traces/json_fields.h"
#include "app/traces/request_json.h"
#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <limits>

namespace headscope::app {

namespace {

using nlohmann::json;
using Kind = widgets::ChoiceSpec::Kind;

constexpr files::JsonLimits limits{.depth = 16, .values = 500'000, .bytes = std::size_t{16} << 20};
constexpr int mostSteps = 1'000'000;
constexpr std::size_t mostPinnedHeads = 16;
constexpr std::size_t longestLayout = std::size_t{1} << 20;
constexpr std::int64_t mostPixels = 1 << 24; // limit of a position in a layout

[[noreturn]] void refuse(const std::string& what, const std::string& where, const std::string& expected,
                         const std::string& found) {
    throw trace::Refusal({.what = what,
                          .where = where,
                          .expected = expected,
                          .found = files::printable(found),
                          .wayOut = "correct it, or leave it out"});
}

trace::HeadAddress headOf(const std::string& text, const std::string& where) {
    if (const auto head = trace::parseHeadAddress(text))
        return *head;
    refuse("A head of this session cannot be read", where, "an address such as cross.2.5", text);
}

ModelReference modelReferenceOf(const json& object, const std::string& where) {
    ModelReference model;
    model.bundled = object.contains("bundled");
    model.path = files::stringAt(object, model.bundled ? "bundled" : "path", where);
    if (model.path.empty())
        refuse("The model of this session has no name", where, "a path or a bundled model's name", "nothing");
    model.weights = files::stringAt(object, "weights", where, std::string());
    if (object.contains("settings")) {
        const auto& settings = files::objectAt(object, "settings", where);
        for (const auto& [key, value] : settings.items())
            model.settings.emplace_back(key, files::stringAt(settings, key, where));
    }
    return model;
}

std::shared_ptr<const trace::Request> requestIn(const json& object, const std::string& where, int newTokens) {
    auto request = requestOf(object, where, newTokens);
    if (object.contains("source_ids"))
        request.source =
            trace::SourceIds{.ids = files::integersAt(object, "source_ids", where),
                             .segments = object.contains("source_segments")
                                             ? files::integersAt(object, "source_segments", where)
                                             : std::vector<std::int64_t>()};
    return std::make_shared<const trace::Request>(std::move(request));
}

LitTokens litTokensAt(const json& object, const char* key, const std::string& where) {
    constexpr int most = std::numeric_limits<int>::max();
    LitTokens lit;
    if (!object.contains(key))
        return lit;
    const auto& tokens = files::objectAt(object, key, where);
    FieldReader reader(tokens, where);
    for (const auto& [part, name] : tokenNames)
        if (tokens.contains(name))
            reader.within(name, (lit.*part).emplace(), 0, most);
    return lit;
}

void readSelection(const json& object, const std::string& where, SessionState& state) {
    if (object.contains("head"))
        state.head = headOf(files::stringAt(object, "head", where), where + ", \"head\"");
    FieldReader(object, where).within("step", state.step, 0, mostSteps);
    state.pinned = litTokensAt(object, "pinned", where);
    state.cursor = litTokensAt(object, "cursor", where);
    if (!object.contains("pinned_heads"))
        return;
    const auto heads = files::stringsAt(object, "pinned_heads", where);
    if (heads.size() > mostPinnedHeads)
        refuse("This session pins too many heads", where, std::to_string(mostPinnedHeads) + " at most",
               std::to_string(heads.size()));
    for (const auto& head : heads)
        state.pinnedHeads.push_back(headOf(head, where + ", \"pinned_heads\""));
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

/// Reads only known choices; everything else is ignored.
widgets::Choices choicesOf(const json& object, const std::string& where) {
    widgets::Choices choices;
    for (const auto& rule : widgets::choiceSpecs()) {
        if (!object.contains(rule.view))
            continue;
        const auto& view = files::objectAt(object, rule.view, where + ", \"views\"");
        if (view.contains(rule.name))
            choices[rule.view][rule.name] =
                choiceOf(rule, view, where + ", \"views\", \"" + rule.view + "\", \"" + rule.name + "\"");
    }
    return choices;
}

WindowLayout layoutOf(const json& object, const std::string& where) {
    const auto bytes = [&](const char* key) {
        auto text = files::stringAt(object, key, where, std::string());
        if (text.size() > longestLayout)
            refuse("The layout of this session is too large", where + ", \"" + key + "\"",
                   std::to_string(longestLayout) + " characters at most", std::to_string(text.size()));
        return text;
    };
    WindowLayout layout{.geometry = bytes("geometry"), .panels = bytes("panels"), .inside = {}};
    if (!object.contains("inside"))
        return layout;
    const std::string at = where + ", \"inside\"";
    const auto& inside = files::objectAt(object, "inside", where);
    for (const auto& [name, value] : inside.items()) {
        auto& numbers = layout.inside[name];
        for (const auto number : files::integersAt(inside, name, at))
            numbers.push_back(static_cast<int>(std::clamp<std::int64_t>(number, 0, mostPixels)));
    }
    return layout;
}

void refuseOther(const json& session, const std::string& where) {
    if (session.is_object() && session.contains("format") && session.at("format") == sessionFormat)
        return;
    throw trace::Refusal(
        {.what = "This is no session of Headscope",
         .where = where,
         .expected = std::string("a JSON object whose \"format\" is \"") + sessionFormat + "\"",
         .wayOut = "open a file that File, Save Session wrote"});
}

/// Text that is not JSON is returned as a string, which is refused later if another type is expected.
json jsonOrText(const std::string& text, const std::string& where) {
    try {
        return files::parseJson(text, where, limits);
    } catch (const trace::Refusal&) {
        return text;
    }
}

} // namespace

widgets::ChoiceValue parseChoice(const widgets::ChoiceSpec& rule, const std::string& text,
                                 const std::string& where) {
    json object;
    object[rule.name] = rule.kind == Kind::Text ? json(text) : jsonOrText(text, where);
    return choiceOf(rule, object, where);
}

SessionState parseSession(std::string_view text, const std::string& where) {
    auto session = files::parseJson(text, where, limits);
    refuseOther(session, where);
    migrate(session, where, sessionVersion, sessionMigrations());
    SessionState state;
    const auto part = [&](const char* key, const auto& read) {
        if (session.contains(key))
            read(files::objectAt(session, key, where), where + ", \"" + key + "\"");
    };
    part("model", [&](const json& object, const auto& at) { state.model = modelReferenceOf(object, at); });
    if (session.contains("typed"))
        state.typed = files::stringAt(session, "typed", where);
    FieldReader(session, where).within("maximum_length", state.newTokens, 1, mostSteps);
    part("request",
         [&](const json& object, const auto& at) { state.request = requestIn(object, at, state.newTokens); });
    state.shown = files::integersAt(session, "shown_path", where, {});
    part("selection", [&](const json& object, const auto& at) { readSelection(object, at, state); });
    state.view = files::stringAt(session, "view", where, std::string());
    part("views", [&](const json& object, const auto&) { state.choices = choicesOf(object, where); });
    if (session.contains("measured")) {
        const auto measured = files::stringsAt(session, "measured", where);
        state.importanceMeasured = std::ranges::find(measured, measuredImportance) != measured.end();
    }
    state.otherWeights = files::stringAt(session, "compared_weights", where, std::string());
    part("layout", [&](const json& object, const auto& at) { state.layout = layoutOf(object, at); });
    return state;
}

} // namespace headscope::app
