#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope::training {

/// Which checkpoints of a training are kept, and which ones its model is made of.
struct CheckpointPlan {
    std::int64_t averaged = 0; ///< number of checkpoints whose mean is the model; 0 or 1: no averaging
    std::int64_t every = 1;    ///< steps between checkpoints
    bool best = false;         ///< use the parameters of the best validation, not the last ones

    /// Returns the steps whose mean is the model of a training at `step` whose best validation was at
    /// `bestStep` (0: none). Empty: the model is the parameters at `step`.
    std::vector<std::int64_t> chosen(std::int64_t step, std::int64_t bestStep) const;
    /// Returns the steps whose parameters may still be needed.
    std::vector<std::int64_t> needed(std::int64_t step, std::int64_t bestStep) const;

  private:
    std::vector<std::int64_t> averagedUpTo(std::int64_t step) const;
};

/// Parameters of some steps, one file each in the state folder.
class Checkpoints {
  public:
    explicit Checkpoints(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Throws trace::Refusal if the disk is full.
    void keep(std::int64_t step, const at::Tensor& parameters) const;
    /// Returns the mean over `steps`, [size]. Throws trace::Refusal if one of them is missing.
    at::Tensor mean(const std::vector<std::int64_t>& steps, std::int64_t size) const;
    void removeAllBut(const std::vector<std::int64_t>& steps) const;

  private:
    std::filesystem::path fileOf(std::int64_t step) const;

    std::filesystem::path folder_;
};

} // namespace headscope::training
