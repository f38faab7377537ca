#pragma once

#include "model/training/training_progress.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headscope::training {

/// log.csv in the state folder: a header and one line every few steps. Columns that were not measured are
/// empty.
class TrainingLog {
  public:
    /// Continues an existing log. Lines after `step` are dropped, because these steps will be repeated.
    TrainingLog(std::filesystem::path path, std::int64_t step);

    void add(const TrainingProgress& progress, double gradientNorm, double seconds);

  private:
    std::filesystem::path path_;
};

} // namespace headscope::training
