#pragma once

#include "model/training/encoded_corpus.h"
#include "model/training/training_config.h"
#include "model/training/training_network.h"
#include "model/training/workers.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope::training {

/// What is trained: parameters and the optimizer's moments, each [size].
struct TrainedValues {
    at::Tensor parameters;
    at::Tensor first;
    at::Tensor second;

    static TrainedValues zeros(std::int64_t size);
};

/// Runs batches forwards and backwards and takes the optimizer's steps. A batch is computed in parts, side by
/// side on the processor, each with gradients of its own; their sum does not depend on the threads.
class TrainingStep {
  public:
    /// `device` cpu or cuda; `values` live on it from then on.
    TrainingStep(const TrainingConfig& config, const TrainingNetwork& network, TrainedValues& values,
                 Workers& workers, std::size_t parts, c10::Device device);

    struct Result {
        LossSums sums;
        double gradientNorm = 0;
        bool finite() const;
    };
    /// Loss and gradient of step number `step` on the batches together; the values stay as they are.
    Result gradients(const EncodedCorpus& corpus, std::span<const std::vector<std::uint32_t>> batches,
                     std::int64_t step);
    /// Takes the step that gradients() was called for, with the norm that it told.
    void update(std::int64_t step, double norm);

  private:
    LossSums addGradients(const EncodedCorpus& corpus, const std::vector<std::uint32_t>& batch, double factor,
                          std::uint64_t number, std::size_t part);
    double sumParts();
    void updateOnProcessor(std::int64_t step, double norm);
    void updateOnDevice(std::int64_t step, double norm);
    std::pair<std::int64_t, std::int64_t> range(std::size_t part) const;

    const TrainingConfig& config_;
    const TrainingNetwork& network_;
    TrainedValues& values_;
    Workers& workers_;
    std::size_t parts_;
    c10::Device device_;
    std::vector<at::Tensor> gradients_; ///< of each part
    at::Tensor rounded_;                ///< the parameters in bfloat16, where products are of these
};

/// Losses alone, without dropout and smoothing, on the device of the parameters.
LossSums measureLosses(const TrainingNetwork& network, const EncodedCorpus& corpus,
                       std::span<const std::vector<std::uint32_t>> batches, const at::Tensor& parameters,
                       Workers& workers, const std::stop_token& stop);

} // namespace headscope::training
