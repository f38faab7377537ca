#pragma once

#include "model/training/training_progress.h"

#include <chrono>
#include <cstdint>

namespace headscope::training {

/// Measures the speed of a training.
class ProgressMeter {
  public:
    /// Starts measuring now, at `step`.
    explicit ProgressMeter(std::int64_t step = 0) : stepAtReport_(step) {}

    void addTokens(double tokens) { tokensSinceReport_ += tokens; }
    double secondsSinceReport() const { return secondsSince(reported_); }
    double seconds() const { return secondsSince(begun_); }
    /// Returns smoothed speed and estimated time left for a training at `step` of `steps`.
    TrainingProgress measure(std::int64_t step, std::int64_t steps);
    /// Speed since the last line of the log, validations excluded.
    double tokensPerSecondSinceLog() const { return tokensSinceLog_ / secondsSinceLog_; }
    void logged() { tokensSinceLog_ = secondsSinceLog_ = 0; }
    void reported(std::int64_t step);

  private:
    using Clock = std::chrono::steady_clock;
    static double secondsSince(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }

    double tokensSinceReport_ = 0;
    double tokensPerSecond_ = 0;
    double tokensSinceLog_ = 0;
    double secondsSinceLog_ = 0;
    double stepsPerSecond_ = 0;
    std::int64_t stepAtReport_ = 0;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point reported_ = begun_;
};

} // namespace headscope::training
