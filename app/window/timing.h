#pragma once

namespace headscope::app {

/// Logs how long after the start of the process something happened, in milliseconds, to the logging category
/// "headscope.timing": QT_LOGGING_RULES="headscope.timing.debug=true" shows it.
void reportTiming(const char* what);

} // namespace headscope::app
