#pragma once

#include "app/traces/trace_fields.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/lens.h"
#include "model/trace/run.h"

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

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<LensWords>& words) {
    visitor.required("stages", words.stages);
    visitor.usual("final_norm", words.finalNorm);
    visitor.required("tokens", words.tokens);
    visitor.ifAny("why_no_attribution", words.whyNoAttribution);
    visitor.ifAny("contrast", words.contrast);
    visitor.ifAny("parts", words.parts);
}

LensWords wordsOf(const trace::Lens& lens);
std::vector<files::NamedArray> lensArrays(const trace::Lens& lens);
/// `run` is from the same file. Returns null if an array is missing. Inconsistent arrays become findings.
std::shared_ptr<const trace::Lens> readLens(TraceTensors& tensors, const LensWords& words,
                                            const trace::Run& run);

/// Returns the lens without the parts of logits.
std::shared_ptr<const trace::Lens> withoutAttributions(const trace::Lens& lens);

} // namespace headscope::app
