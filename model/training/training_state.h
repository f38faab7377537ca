#pragma once

#include "model/training/origin.h"
#include "model/training/training_step.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

namespace headscope::training {

/// Everything that a training goes on from: what follows is a function of it and of the configuration.
struct TrainingState {
    TrainedValues values;
    std::int64_t step = 0;
    std::int64_t epoch = 0;
    std::int64_t batch = 0;                                ///< the next one of the epoch
    std::int64_t parts = 0;                                ///< of a batch; sums of gradients depend on it
    double best = std::numeric_limits<double>::infinity(); ///< loss of the best validation
    std::int64_t bestStep = 0;
    std::int64_t worse = 0; ///< validations since then
    double lossSum = 0;     ///< since the last line of the log
    double answers = 0;
    double gradientNorm = 0;   ///< of the last step
    std::int64_t settled = -1; ///< the last step that was validated, logged and written where that was due
    Origin origin;
};

/// Writes atomically. Throws trace::Refusal where the disk is full.
void saveState(const TrainingState& state, const std::filesystem::path& path);
/// The Origin of a state that is saved in a file.
Origin readOrigin(const std::filesystem::path& path);
/// Throws trace::Refusal for a file that is of another network (`size` parameters).
TrainingState readState(const std::filesystem::path& path, std::int64_t size);

/// Parameters alone, for means over checkpoints and the best so far.
void saveParameters(const at::Tensor& parameters, const std::filesystem::path& path);
at::Tensor readParameters(const std::filesystem::path& path, std::int64_t size);

} // namespace headscope::training
