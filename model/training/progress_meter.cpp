#include "model/training/progress_meter.h"

#include <algorithm>

namespace headscope::training {

TrainingProgress ProgressMeter::measure(std::int64_t step, std::int64_t steps) {
    const double since = secondsSinceReport();
    if (since > 0) { // smoothed, so that the time left does not jump
        const double share = stepsPerSecond_ == 0 ? 1 : std::min(1.0, since / 10);
        tokensPerSecond_ += share * (tokensSinceReport_ / since - tokensPerSecond_);
        stepsPerSecond_ += share * (static_cast<double>(step - stepAtReport_) / since - stepsPerSecond_);
    }
    tokensSinceLog_ += tokensSinceReport_;
    secondsSinceLog_ += since;
    return {.step = step,
            .steps = steps,
            .tokensPerSecond = tokensPerSecond_,
            .secondsLeft = static_cast<double>(steps - step) / stepsPerSecond_};
}

void ProgressMeter::reported(std::int64_t step) {
    tokensSinceReport_ = 0;
    stepAtReport_ = step;
    reported_ = Clock::now();
}

} // namespace headscope::training
