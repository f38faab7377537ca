#pragma once

#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/lens.h"
#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

// The logit lens in a trace file, with the parts of logits where they are kept: resources/manual/traces.md.

/// What it says beside its arrays.
struct LensWords {
    std::vector<std::string> stages;
    bool finalNorm = false;
    std::string whyNoAttribution;
    std::vector<trace::Token> tokens; ///< every candidate once
    std::vector<std::string> parts;   ///< of a logit; empty: not kept
    std::optional<trace::Token> contrast;
};

std::vector<files::NamedArray> lensArrays(const trace::Lens& lens);
nlohmann::ordered_json wordsOf(const trace::Lens& lens);

/// The reverse. `where` names the file. Throws trace::Refusal.
LensWords lensWords(const nlohmann::json& object, const std::string& where);
/// Of the run that the same file holds; null where an array is not there. What does not fit is a finding.
std::shared_ptr<const trace::Lens> readLens(TraceTensors& tensors, const LensWords& words,
                                            const trace::Run& run);

/// What the layers say alone.
std::shared_ptr<const trace::Lens> withoutAttributions(const trace::Lens& lens);

} // namespace headscope::app
