#include "model/training/training_end.h"

namespace headscope::training {

bool isAtEnd(const TrainingConfig& config, const TrainingState& state) {
    return state.step >= config.steps || (config.patience > 0 && state.worse >= config.patience);
}

std::string whyAtEnd(const TrainingConfig& config, const TrainingState& state) {
    return state.step >= config.steps
               ? "it has reached its end: to train it further, make training.steps larger than " +
                     std::to_string(config.steps)
               : "it has ended, because no validation was better any more: to train it further, make "
                 "training.patience larger than " +
                     std::to_string(config.patience);
}

} // namespace headscope::training
