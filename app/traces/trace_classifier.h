#pragma once

#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/classifier_reading.h"
#include "model/trace/run.h"

#include <memory>
#include <vector>

namespace headscope::app {

/// Returns the parts of a classifier's answer as arrays of a trace file: resources/manual/traces.md.
std::vector<files::NamedArray> classifierArrays(const trace::ClassifierReading& reading);

/// The inverse. `run` is from the same file. Returns null if an array is missing; inconsistent arrays are
/// reported as findings.
std::shared_ptr<const trace::ClassifierReading> readClassifier(TraceTensors& tensors, const trace::Run& run);

} // namespace headscope::app
