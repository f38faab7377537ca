#pragma once

#include "app/traces/trace_metadata.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/run.h"

#include <memory>
#include <vector>

namespace headscope::app {

/// Reads a run from a trace file, without the model summary. Missing parts stay empty; inconsistent arrays
/// are reported as findings of `tensors`. The inverse is traceArrays().
std::shared_ptr<trace::Run> readRun(TraceTensors& tensors, const RunWords& words);

/// Returns the position information of a run's model that views need: the first rows of added position
/// tables, or all distance biases.
std::vector<files::NamedArray> positionArrays(const trace::Run& run);

/// The inverse; stores the tables in words.model. If the file has no tables, the vectors added to the tokens
/// are taken as their first rows, unless an intervention changed the positions.
void readPositions(TraceTensors& tensors, TraceMetadata& words, const trace::Run& run);

} // namespace headscope::app
