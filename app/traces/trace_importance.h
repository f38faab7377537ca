#pragma once

#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/head_importance.h"
#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

// Head importance in a trace file: resources/manual/traces.md.

/// Metadata of the head importance.
struct ImportanceWords {
    std::vector<std::string> heads;   ///< addresses
    std::vector<trace::Token> tokens; ///< of the output
    std::optional<trace::Token> contrast;
};

std::vector<files::NamedArray> importanceArrays(const trace::HeadImportance& importance);
nlohmann::ordered_json wordsOf(const trace::HeadImportance& importance);

/// The inverse of wordsOf(). `where` names the file. Throws trace::Refusal.
ImportanceWords importanceWords(const nlohmann::json& object, const std::string& where);
/// `run` is from the same file. Returns null if an array is missing. Inconsistent arrays become findings.
std::shared_ptr<const trace::HeadImportance>
readImportance(TraceTensors& tensors, const ImportanceWords& words, const trace::Run& run);

} // namespace headscope::app
