#pragma once

#include "app/traces/trace_fields.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/causal_row.h"
#include "model/trace/classifier_reading.h"
#include "model/trace/expert_routing.h"
#include "model/trace/head_importance.h"
#include "model/trace/lens.h"
#include "model/trace/model_flow.h"
#include "model/trace/run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

// What is computed about a run, in a trace file: resources/manual/traces.md. Of each there is what the
// metadata say, the arrays, and a function that reads both. It returns null if an array is missing; what
// contradicts the rest of the file becomes a finding. `run` is from the same file.

/// The logit lens, optionally with the parts of logits.
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
std::shared_ptr<const trace::Lens> readLens(TraceTensors& tensors, const LensWords& words,
                                            const trace::Run& run);
/// Returns the lens without the parts of logits.
std::shared_ptr<const trace::Lens> withoutAttributions(const trace::Lens& lens);

struct ImportanceWords {
    std::vector<std::string> heads;   ///< addresses
    std::vector<trace::Token> tokens; ///< of the output
    std::optional<trace::Token> contrast;
    std::string ablation; ///< toString(trace::Ablation); empty: zero
};
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<ImportanceWords>& words) {
    visitor.required("heads", words.heads);
    visitor.required("tokens", words.tokens);
    visitor.ifAny("contrast", words.contrast);
    visitor.ifAny("ablation", words.ablation);
}
ImportanceWords wordsOf(const trace::HeadImportance& importance);
std::vector<files::NamedArray> importanceArrays(const trace::HeadImportance& importance);
std::shared_ptr<const trace::HeadImportance>
readImportance(TraceTensors& tensors, const ImportanceWords& words, const trace::Run& run);

/// Removal curves name heads by their place in the importance.
std::vector<files::NamedArray>
removalArrays(const trace::HeadImportance& importance,
              const std::vector<std::shared_ptr<const trace::RemovalCurve>>& curves);
std::vector<std::shared_ptr<const trace::RemovalCurve>> readRemovals(TraceTensors& tensors,
                                                                     const trace::HeadImportance& importance);

/// Knock-out losses, which are arrays alone: one row per step.
std::vector<files::NamedArray>
knockOutArrays(const std::vector<std::shared_ptr<const trace::CausalRow>>& rows);
std::vector<std::shared_ptr<const trace::CausalRow>> readKnockOut(TraceTensors& tensors,
                                                                  const trace::Run& run);

/// The metadata say everything about a sublayer except the numbers of each token.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::SublayerFlow>& flow) {
    visitor.required("sublayer", flow.sublayer);
    visitor.usual("units", flow.units);
    visitor.usual("dead_units", flow.deadUnits);
    visitor.usual("active_share", flow.activeShare);
}
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::ModelFlow>& flow) {
    visitor.required("sublayers", flow.sublayers);
}
std::vector<files::NamedArray> flowArrays(const trace::ModelFlow& flow);
std::shared_ptr<const trace::ModelFlow> readFlow(TraceTensors& tensors, const trace::ModelFlow& words,
                                                 const trace::Run& run);

/// The parts of a classifier's answer, which are arrays alone.
std::vector<files::NamedArray> classifierArrays(const trace::ClassifierReading& reading);
std::shared_ptr<const trace::ClassifierReading> readClassifier(TraceTensors& tensors, const trace::Run& run);

/// What the routers chose, which are arrays alone.
std::vector<files::NamedArray> expertArrays(const trace::ExpertRouting& routing);
std::shared_ptr<const trace::ExpertRouting> readExperts(TraceTensors& tensors, const trace::Run& run);

} // namespace headscope::app
