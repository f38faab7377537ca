#pragma once

#include "model/training/origin.h"
#include "model/training/training_step.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

namespace headscope::training {

/// Complete state of a training. Together with the configuration it determines everything that follows.
struct TrainingState {
    TrainedValues values;
    std::int64_t step = 0;
    std::int64_t epoch = 0;
    std::int64_t batch = 0; ///< next batch of the epoch
    std::int64_t parts = 0; ///< parts of a batch; sums of gradients depend on it
    double best = std::numeric_limits<double>::infinity(); ///< loss of the best validation
    std::int64_t bestStep = 0;
    std::int64_t worse = 0; ///< validations since the best one
    double lossSum = 0;     ///< since the last line of the log
    double answers = 0;
    double gradientNorm = 0;   ///< norm of the last step
    std::int64_t settled = -1; ///< last step whose due validation, log line and files are done
    Origin origin;
};

/// Writes atomically. Throws trace::Refusal if the disk is full.
void saveState(const TrainingState& state, const std::filesystem::path& path);
/// Returns the Origin of a saved state.
Origin readOrigin(const std::filesystem::path& path);
/// Throws trace::Refusal if the file belongs to another network; `size` is the number of parameters.
TrainingState readState(const std::filesystem::path& path, std::int64_t size);

/// Save and read parameters only, for averaging and for the best validation so far.
void saveParameters(const at::Tensor& parameters, const std::filesystem::path& path);
at::Tensor readParameters(const std::filesystem::path& path, std::int64_t size);

} // namespace headscope::training
