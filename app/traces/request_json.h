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

/// Returns an integer from `low` to `high`; `otherwise` if it is missing. Throws trace::Refusal.
int wholeNumberAt(const nlohmann::json& object, const std::string& key, const std::string& where,
                  int otherwise, int low = 0, int high = 1'000'000);

/// Returns an unsigned 64-bit seed, for which other integer functions are too narrow.
std::uint64_t seedAt(const nlohmann::json& object, const std::string& key, const std::string& where);

} // namespace headscope::app
