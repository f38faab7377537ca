#pragma once

#include "app/traces/trace_metadata.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"

#include <vector>

namespace headscope::app {

/// What the model of a run knows places by, as far as views show it of a sentence: the beginning of the
/// tables that are added, or all of the biases by distance.
std::vector<files::NamedArray> positionArrays(const trace::Run& run);

/// The reverse, into words.model. A file without tables has what was added to the tokens, unless a change
/// moved that: the beginning of them.
void readPositions(TraceTensors& tensors, TraceMetadata& words, const trace::Run& run);

} // namespace headscope::app
