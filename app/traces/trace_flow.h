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

// What flowed through the model, in a trace file: resources/manual/traces.md.

/// What it says beside its arrays: of each sublayer all but the numbers a token.
struct FlowWords {
    std::vector<trace::SublayerFlow> sublayers;
};

std::vector<files::NamedArray> flowArrays(const trace::ModelFlow& flow);
nlohmann::ordered_json wordsOf(const trace::ModelFlow& flow);

/// The reverse. `where` names the file. Throws trace::Refusal.
FlowWords flowWords(const nlohmann::json& object, const std::string& where);
/// Of the run that the same file holds; null where an array is not there. What does not fit is a finding.
std::shared_ptr<const trace::ModelFlow> readFlow(TraceTensors& tensors, const FlowWords& words,
                                                 const trace::Run& run);

} // namespace headscope::app
