#pragma once

#include "app/traces/trace_metadata.h"
#include "app/traces/trace_tensors.h"
#include "model/trace/run.h"

#include <memory>

namespace headscope::app {

/// Reads a run from a trace file, without the model summary. Missing parts stay empty; inconsistent arrays
/// are reported as findings of `tensors`.
std::shared_ptr<trace::Run> readRun(TraceTensors& tensors, const RunWords& words);

} // namespace headscope::app
