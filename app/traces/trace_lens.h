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

// The logit lens in a trace file, optionally with the parts of logits: resources/manual/traces.md.

/// Metadata of the lens.
struct LensWords {
    std::vector<std::string> stages;
    bool finalNorm = false;
    std::string whyNoAttribution;
    std::vector<trace::Token> tokens; ///< all distinct candidates
    std::vector<std::string> parts;   ///< names of a logit's parts; empty if they are not stored
    std::optional<trace::Token> contrast;
};

std::vector<files::NamedArray> lensArrays(const trace::Lens& lens);
nlohmann::ordered_json wordsOf(const trace::Lens& lens);

/// The inverse of wordsOf(). `where` names the file. Throws trace::Refusal.
LensWords lensWords(const nlohmann::json& object, const std::string& where);
/// `run` is from the same file. Returns null if an array is missing. Inconsistent arrays become findings.
std::shared_ptr<const trace::Lens> readLens(TraceTensors& tensors, const LensWords& words,
                                            const trace::Run& run);

/// Returns the lens without the parts of logits.
std::shared_ptr<const trace::Lens> withoutAttributions(const trace::Lens& lens);

} // namespace headscope::app
