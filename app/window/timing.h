#pragma once

namespace headscope::app {

/// Logs the time since the start of the process, in milliseconds, to the logging category "headscope.timing".
/// Enabled by QT_LOGGING_RULES="headscope.timing.debug=true".
void reportTiming(const char* what);

} // namespace headscope::app
