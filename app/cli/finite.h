#pragma once

#include "model/trace/run.h"

#include <string>

namespace headscope::app {

/// Throws trace::Refusal if a log-probability of the run is not finite: its output is meaningless.
void refuseUnlessFinite(const trace::Run& run);

/// Throws trace::Refusal if a number computed from many runs is not finite; `what` names the number.
void refuseUnlessFinite(double value, const std::string& what, const trace::ModelSummary& model);

} // namespace headscope::app
