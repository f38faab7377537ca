#pragma once

#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::app {

/// {"rows_sum_to_one": {"state", "largest", "limit"}, ...}, as trace files have it.
nlohmann::ordered_json toJson(const trace::SelfCheck& check);

/// The form that commands print: "state" of the whole, then each check.
nlohmann::ordered_json selfCheckJson(const trace::SelfCheck& check);

/// The reverse of toJson(); what is not there was not checked. `where` names the file. Throws trace::Refusal.
trace::SelfCheck selfCheckOf(const nlohmann::json& object, const std::string& where);

} // namespace headscope::app
