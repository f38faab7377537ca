#pragma once

#include "app/traces/trace_metadata.h"
#include "app/traces/trace_tensors.h"
#include "model/trace/run.h"

#include <memory>

namespace headscope::app {

/// A run of a trace file, as far as the file has it, but without a model and what is known of it. What does
/// not fit is a finding of `tensors`.
std::shared_ptr<trace::Run> readRun(TraceTensors& tensors, const TraceMetadata& words);

} // namespace headscope::app
