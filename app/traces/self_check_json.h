#pragma once

#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::app {

/// The form used in trace files: {"rows_sum_to_one": {"state", "largest", "limit"}, ..., "kernels"}.
nlohmann::ordered_json toJson(const trace::SelfCheck& check);

/// The form printed by commands: the overall "state", then each check.
nlohmann::ordered_json selfCheckJson(const trace::SelfCheck& check);

/// The inverse of toJson(); missing checks count as not checked. `where` names the file. Throws
/// trace::Refusal.
trace::SelfCheck selfCheckOf(const nlohmann::json& object, const std::string& where);

} // namespace headscope::app
