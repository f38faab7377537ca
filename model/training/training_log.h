#pragma once

#include "model/training/training_progress.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headscope::training {

/// log.csv beside the state: a line every some steps, whose columns its first line names. Columns that were
/// not measured are empty.
class TrainingLog {
  public:
    /// Goes on with a log that is there, without its lines behind `step`: these are about to come again.
    TrainingLog(std::filesystem::path path, std::int64_t step);

    void add(const TrainingProgress& progress, double gradientNorm, double seconds);

  private:
    std::filesystem::path path_;
};

} // namespace headscope::training
