#pragma once

#include "app/plain/read_trace.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Views of `render` that show something of the trace as it is; `compare`, of two steps of it or beside
/// another one.
std::vector<std::string> viewsOfTrace(const Trace& trace);

} // namespace headscope::app
