#pragma once

#include "app/traces/read_trace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// Returns the views of `render` that can show the trace by itself, including `compare`, which can show two
/// steps or another trace. Reads all of cross-attention. Throws trace::Cancelled.
std::vector<std::string> viewsOfTrace(const Trace& trace, const std::stop_token& stop = {});

} // namespace headscope::app
