#pragma once

#include "model/engine/trainer.h"

#include <string>

namespace headscope::app {

/// Returns the progress of a training as one line of JSON for other programs, without line end.
std::string progressLine(const training::TrainingProgress& progress);

} // namespace headscope::app
