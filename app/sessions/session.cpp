#include "app/sessions/session.h"

#include "app/sessions/session_names.h"
#include "app/traces/request_json.h"

namespace headscope::app {

namespace {

using nlohmann::ordered_json;

bool sameRequests(const SessionState& a, const SessionState& b) {
    return a.request == b.request || (a.request && b.request && *a.request == *b.request);
}

ordered_json toJson(const ModelReference& model) {
    ordered_json json{{model.bundled ? "bundled" : "path", model.path}};
    if (!model.weights.empty())
        json["weights"] = model.weights;
    for (const auto& [key, value] : model.settings)
        json["settings"][key] = value;
    return json;
}

ordered_json withIds(const trace::Request& request) {
    auto json = app::toJson(request);
    const auto* ids = std::get_if<trace::SourceIds>(&request.source);
    if (ids)
        json["source_ids"] = ids->ids;
    if (ids && !ids->segments.empty())
        json["source_segments"] = ids->segments;
    return json;
}

ordered_json selectionOf(const SessionState& state) {
    ordered_json json{{"head", trace::toString(state.head)}, {"step", state.step}};
    for (const auto& [key, lit] : {std::pair("pinned", state.pinned), std::pair("cursor", state.cursor)})
        for (const auto& [part, name] : tokenNames)
            if (const auto& token = lit.*part)
                json[key][name] = *token;
    for (const auto& head : state.pinnedHeads)
        json["pinned_heads"].push_back(trace::toString(head));
    return json;
}

ordered_json toJson(const widgets::Choices& choices) {
    ordered_json json = ordered_json::object();
    for (const auto& [view, chosen] : choices)
        for (const auto& [name, value] : chosen)
            std::visit([&place = json[view][name]](const auto& plain) { place = plain; }, value);
    return json;
}

std::size_t bytesOf(const widgets::ChoiceValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return text->size();
    std::size_t bytes = 0;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        for (const auto& text : *texts)
            bytes += sizeof(text) + text.size();
    return bytes;
}

} // namespace

std::string choiceText(const widgets::ChoiceValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    return std::visit([](const auto& plain) { return ordered_json(plain); }, value)
        .dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool operator==(const SessionState& a, const SessionState& b) {
    return sameRequests(a, b) && a.model == b.model && a.typed == b.typed && a.newTokens == b.newTokens &&
           a.shown == b.shown && a.step == b.step && a.head == b.head && a.pinned == b.pinned &&
           a.cursor == b.cursor && a.pinnedHeads == b.pinnedHeads && a.view == b.view &&
           a.choices == b.choices && a.otherWeights == b.otherWeights &&
           a.importanceMeasured == b.importanceMeasured && a.layout == b.layout;
}

std::string otherModelOf(const SessionState& state) {
    const auto view = state.choices.find("compare");
    if (view == state.choices.end() || !view->second.contains("model"))
        return {};
    const auto* path = std::get_if<std::string>(&view->second.at("model"));
    return path ? *path : std::string();
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

std::string sessionText(const SessionState& state, std::string_view program) {
    ordered_json json{{"format", sessionFormat}, {"version", sessionVersion}, {"written_by", program}};
    if (!state.model.path.empty())
        json["model"] = toJson(state.model);
    if (state.typed)
        json["typed"] = *state.typed;
    if (state.request)
        json["request"] = withIds(*state.request);
    json["maximum_length"] = state.newTokens;
    if (!state.shown.empty())
        json["shown_path"] = state.shown;
    json["selection"] = selectionOf(state);
    if (!state.view.empty())
        json["view"] = state.view;
    json["views"] = toJson(state.choices);
    if (!state.otherWeights.empty())
        json["compared_weights"] = state.otherWeights;
    if (state.importanceMeasured)
        json["measured"] = {measuredImportance};
    if (state.layout)
        json["layout"] = {{"geometry", state.layout->geometry},
                          {"panels", state.layout->panels},
                          {"inside", ordered_json(state.layout->inside)}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace headscope::app
