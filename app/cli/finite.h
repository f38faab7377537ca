#pragma once

#include "model/trace/run.h"

#include <string>

namespace headscope::app {

/// Throws trace::Refusal if a log-probability of the run is not finite: what was decoded means nothing.
void refuseUnlessFinite(const trace::Run& run);

/// The same of a number that was computed from many runs; `what` names it.
void refuseUnlessFinite(double value, const std::string& what, const trace::ModelSummary& model);

} // namespace headscope::app
