#pragma once

#include "app/traces/read_trace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// Views of `render` that show something of the trace as it is; `compare`, of two steps of it or beside
/// another one. Looks at all of cross-attention. Throws trace::Cancelled.
std::vector<std::string> viewsOfTrace(const Trace& trace, const std::stop_token& stop = {});

} // namespace headscope::app
