#pragma once

#include "model/trace/token.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// A token that stands in no sentence: its id, piece and role.
nlohmann::ordered_json toJson(const trace::Token& token);
nlohmann::ordered_json toJson(const std::vector<trace::Token>& tokens);

/// The reverse; only the piece must be there. `where` names the file. Throws trace::Refusal.
trace::Token tokenOf(const nlohmann::json& object, const std::string& where);
std::vector<trace::Token> tokensAt(const nlohmann::json& object, const std::string& key,
                                   const std::string& where);

} // namespace headscope::app
