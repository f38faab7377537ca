#pragma once

#include "model/training/training_config.h"
#include "model/training/training_state.h"

#include <string>

namespace headscope::training {

/// Whether a training in this state has had all its steps, or all the validations that may not be better.
bool isAtEnd(const TrainingConfig& config, const TrainingState& state);
/// Which of the two, and what takes it further; for a training that was started once more.
std::string whyAtEnd(const TrainingConfig& config, const TrainingState& state);

} // namespace headscope::training
