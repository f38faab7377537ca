#pragma once

#include "model/checkpoint/family.h"
#include "model/files/file_descriptor.h"
#include "model/training/checkpoints.h"
#include "model/training/progress_meter.h"
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
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::training {

struct RunOptions {
    int threads = 1;
    std::stop_token stop;
    ReportProgress report;
};

/// Runs one training from its configuration to its model folder, resuming it if it was stopped.
class TrainingRun {
  public:
    TrainingRun(TrainingConfig config, const checkpoint::Family& family, RunOptions options);

    /// Throws trace::Refusal if loss or gradient is no longer finite or the disk is full; the last good state
    /// and model are then on disk. Throws trace::Cancelled after saving everything. A state is good once loss
    /// and gradient of the next step are finite.
    TrainingSummary run();

  private:
    using Clock = std::chrono::steady_clock;
    using Batches = std::span<const std::vector<std::uint32_t>>;

    void say(const std::string& message) const;
    void prepare(const checkpoint::Family& family);
    void startOrResume();
    void train();
    TrainingSummary finish();
    Batches nextBatches();
    void advance(Batches batches, const TrainingStep::Result& result);
    /// Saves, reports and validates as due for the current step, whose parameters are known to be good.
    void settle();
    [[noreturn]] void endOnNumbers(const TrainingStep::Result& result);
    std::string keptAfterAll();
    void keepWhatIsDue();
    void validate(TrainingProgress& progress);
    void report();
    void save();
    void writeModel(const TrainingState& state);
    Validation measure(const at::Tensor& parameters);
    /// Returns the parameters to be written as the model of a training in this state.
    at::Tensor chosenParameters(const TrainingState& state) const;

    TrainingConfig config_;
    RunOptions options_;
    files::FileDescriptor lock_; ///< lock of the state folder
    network::Workers workers_;
    TrainingData data_;
    std::unique_ptr<TrainedModel> model_;
    std::unique_ptr<TrainingNetwork> network_;
    CheckpointPlan plan_;
    Checkpoints checkpoints_;
    TrainingState state_;
    std::vector<std::vector<std::uint32_t>> batches_; ///< batches of the epoch
    std::int64_t epochOfBatches_ = -1;
    std::unique_ptr<TrainingStep> step_;
    std::optional<TrainingLog> log_;

    std::int64_t savedStep_ = -1;
    Clock::time_point saved_ = Clock::now();
    ProgressMeter meter_;
};

} // namespace headscope::training
