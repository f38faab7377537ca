#pragma once

#include "app/traces/trace_fields.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/model_flow.h"
#include "model/trace/run.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope::app {

// The residual stream's flow in a trace file: resources/manual/traces.md.

/// Metadata of a sublayer: everything except the numbers per token.
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
/// `run` is from the same file. Returns null if an array is missing. Inconsistent arrays become findings.
std::shared_ptr<const trace::ModelFlow> readFlow(TraceTensors& tensors, const trace::ModelFlow& words,
                                                 const trace::Run& run);

} // namespace headscope::app
