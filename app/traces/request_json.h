#pragma once

#include "model/trace/request.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::app {

/// A request in the words that traces and sessions share. Ids of a source and vectors are left to the file,
/// which may hold them as arrays; so is what is recorded. What a model's own folder says of decoding is said
/// by the model.
nlohmann::ordered_json toJson(const trace::Request& request);

/// The reverse; the source is a sentence, or no ids at all. A path that says nothing goes on for `newTokens`.
/// `where` names the file. Throws trace::Refusal.
trace::Request requestOf(const nlohmann::json& object, const std::string& where, int newTokens);

/// A whole number from `low` to `high`; `otherwise` where it is missing. Throws trace::Refusal.
int wholeNumberAt(const nlohmann::json& object, const std::string& key, const std::string& where,
                  int otherwise, int low = 0, int high = 1'000'000);

/// Seeds may be larger than other integers.
std::uint64_t seedAt(const nlohmann::json& object, const std::string& key, const std::string& where);

} // namespace headscope::app
