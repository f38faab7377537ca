#pragma once

#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/classifier_reading.h"
#include "model/trace/run.h"

#include <memory>
#include <vector>

namespace headscope::app {

/// What a classifier's answer is made of, in a trace file: resources/manual/traces.md.
std::vector<files::NamedArray> classifierArrays(const trace::ClassifierReading& reading);

/// The reverse, of the run that the same file holds; null where an array is not there. What does not fit is a
/// finding.
std::shared_ptr<const trace::ClassifierReading> readClassifier(TraceTensors& tensors, const trace::Run& run);

} // namespace headscope::app
