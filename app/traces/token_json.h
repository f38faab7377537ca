#pragma once

#include "model/trace/token.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Converts a token's id, piece and role, without its position in a sentence.
nlohmann::ordered_json toJson(const trace::Token& token);
nlohmann::ordered_json toJson(const std::vector<trace::Token>& tokens);

/// The inverse; only the piece is required. `where` names the file. Throws trace::Refusal.
trace::Token tokenOf(const nlohmann::json& object, const std::string& where);
std::vector<trace::Token> tokensAt(const nlohmann::json& object, const std::string& key,
                                   const std::string& where);

} // namespace headscope::app
