#pragma once

#include "model/checkpoint/family.h"
#include "model/training/trained_model.h"
#include "model/training/training_config.h"
#include "model/training/training_data.h"
#include "model/training/training_log.h"
#include "model/training/training_progress.h"
#include "model/training/training_state.h"
#include "model/training/training_step.h"

#include <ATen/core/Tensor.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::training {

struct RunOptions {
    int threads = 1;
    c10::Device device = at::kCPU;
    std::stop_token stop;
    ReportProgress report;
};

/// One training, from its configuration to its model folder, or from where it was stopped.
class TrainingRun {
  public:
    TrainingRun(TrainingConfig config, const checkpoint::Family& family, RunOptions options);

    /// Throws trace::Refusal where the loss is no number any more or the disk is full, with the last good
    /// state and model on the disk; trace::Cancelled after everything was saved.
    TrainingSummary run();

  private:
    using Clock = std::chrono::steady_clock;

    void say(const std::string& message) const;
    void startOrResume();
    void trainEpoch();
    void oneStep(std::span<const std::vector<std::uint32_t>> batches);
    [[noreturn]] void endOnNumbers(const TrainingStep::Result& result);
    void keepWhatIsDue();
    void validate(TrainingProgress& progress);
    void report();
    void save();
    void writeModel(const at::Tensor& parameters);
    Validation measure(const at::Tensor& parameters);
    /// What is to be written now: the mean over the last checkpoints, or the best, or these.
    at::Tensor chosenParameters() const;
    std::vector<std::int64_t> averagedSteps() const;
    std::filesystem::path averagedFile(std::int64_t step) const;
    bool isDone() const;

    TrainingConfig config_;
    RunOptions options_;
    Workers workers_;
    TrainingData data_;
    std::unique_ptr<TrainedModel> model_;
    std::unique_ptr<TrainingNetwork> network_;
    TrainingState state_;
    std::unique_ptr<TrainingStep> step_;
    std::optional<TrainingLog> log_;

    double gradientNorm_ = 0;
    double tokensSinceReport_ = 0;
    double tokensPerSecond_ = 0;
    double tokensSinceLog_ = 0;
    double secondsSinceLog_ = 0; ///< without validations
    double stepsPerSecond_ = 0;
    std::int64_t stepAtReport_ = 0;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point reported_ = begun_;
    Clock::time_point saved_ = begun_;
};

} // namespace headscope::training
