#pragma once

#include "model/training/training_config.h"
#include "model/training/training_state.h"

#include <string>

namespace headscope::training {

/// Returns true if the training has done all its steps, or as many validations without improvement as
/// allowed.
bool isAtEnd(const TrainingConfig& config, const TrainingState& state);
/// Returns the reason and how to continue, for a finished training that is started again.
std::string whyAtEnd(const TrainingConfig& config, const TrainingState& state);

} // namespace headscope::training
