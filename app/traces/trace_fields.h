#pragma once

#include "app/traces/json_fields.h"

namespace headscope::app {

// Fields of plain values in trace files.

/// The position of a token in its sentence is not one of its fields.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Token>& token) {
    visitor.usual("id", token.id, std::int64_t{-1});
    visitor.required("piece", token.piece);
    visitor.usual("role", token.role);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Candidate>& candidate) {
    fields(visitor, candidate.token);
    visitor.required("log_probability", candidate.logProbability);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Finding>& finding) {
    visitor.usual("state", finding.state);
    visitor.measured("largest", finding.largest);
    visitor.usual("limit", finding.limit);
}

/// Missing checks count as not checked.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::SelfCheck>& check) {
    for (const auto& [finding, key] : checkNames)
        visitor.usual(key, check.*finding);
    visitor.ifAny("kernels", check.kernels);
}

/// The form printed by commands: the overall "state", then each check.
inline nlohmann::ordered_json selfCheckJson(const trace::SelfCheck& check) {
    nlohmann::ordered_json json{{"state", nameIn(stateNames, check.state())}};
    json.update(toJson(check));
    return json;
}

} // namespace headscope::app
