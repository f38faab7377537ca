#pragma once

#include "model/engine/trainer.h"

#include <string>

namespace headscope::app {

/// Where a training stands as one JSON object on one line, for a program that reads along; without the end of
/// the line.
std::string progressLine(const training::TrainingProgress& progress);

} // namespace headscope::app
