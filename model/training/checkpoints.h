#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope::training {

/// Which of a training's checkpoints are kept, and which its model is made of.
struct CheckpointPlan {
    std::int64_t averaged = 0; ///< checkpoints that the model is the mean of; 0 or 1: of none
    std::int64_t every = 1;    ///< steps between them
    bool best = false;         ///< the model is that of the best validation, not the last

    /// The steps whose mean is the model of a training at `step` whose best validation was at `bestStep`
    /// (0: none was). Empty: it is what the parameters are at `step`.
    std::vector<std::int64_t> chosen(std::int64_t step, std::int64_t bestStep) const;
    /// The steps whose parameters such a training may still ask for.
    std::vector<std::int64_t> needed(std::int64_t step, std::int64_t bestStep) const;

  private:
    std::vector<std::int64_t> averagedUpTo(std::int64_t step) const;
};

/// Parameters of some steps, a file each beside the state.
class Checkpoints {
  public:
    explicit Checkpoints(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Throws trace::Refusal where the disk is full.
    void keep(std::int64_t step, const at::Tensor& parameters) const;
    /// The mean over `steps`, [size]. Throws trace::Refusal where one of them is not there.
    at::Tensor mean(const std::vector<std::int64_t>& steps, std::int64_t size) const;
    void removeAllBut(const std::vector<std::int64_t>& steps) const;

  private:
    std::filesystem::path fileOf(std::int64_t step) const;

    std::filesystem::path folder_;
};

} // namespace headscope::training
