#pragma once

#include "model/trace/request.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::app {

/// Converts a request to the JSON form shared by traces and sessions. Does not contain source ids or vectors,
/// which the file may hold as arrays, nor what is recorded, nor decoding rules from the model's own folder,
/// which the model states.
nlohmann::ordered_json toJson(const trace::Request& request);

/// The inverse. The source is a sentence, or empty ids. A path without a length decodes `newTokens` tokens.
/// `where` names the file. Throws trace::Refusal.
trace::Request requestOf(const nlohmann::json& object, const std::string& where, int newTokens);

} // namespace headscope::app
