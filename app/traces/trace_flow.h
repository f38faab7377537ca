#pragma once

#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/model_flow.h"
#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace headscope::app {

// The residual stream's flow in a trace file: resources/manual/traces.md.

/// Metadata of the flow: everything about the sublayers except the numbers per token.
struct FlowWords {
    std::vector<trace::SublayerFlow> sublayers;
};

std::vector<files::NamedArray> flowArrays(const trace::ModelFlow& flow);
nlohmann::ordered_json wordsOf(const trace::ModelFlow& flow);

/// The inverse of wordsOf(). `where` names the file. Throws trace::Refusal.
FlowWords flowWords(const nlohmann::json& object, const std::string& where);
/// `run` is from the same file. Returns null if an array is missing. Inconsistent arrays become findings.
std::shared_ptr<const trace::ModelFlow> readFlow(TraceTensors& tensors, const FlowWords& words,
                                                 const trace::Run& run);

} // namespace headscope::app
