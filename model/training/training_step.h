#pragma once

#include "model/network/workers.h"
#include "model/training/encoded_corpus.h"
#include "model/training/training_config.h"
#include "model/training/training_network.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope::training {

/// Trained values: parameters and the optimizer's moments, each [size].
struct TrainedValues {
    at::Tensor parameters;
    at::Tensor first;
    at::Tensor second;

    static TrainedValues zeros(std::int64_t size);
};

/// Computes gradients of batches and applies the optimizer. A batch is computed in parts in parallel, each
/// with its own gradients; their sum does not depend on the number of threads.
class TrainingStep {
  public:
    TrainingStep(const TrainingConfig& config, const TrainingNetwork& network, TrainedValues& values,
                 network::Workers& workers, std::size_t parts);

    struct Result {
        LossSums sums;
        double gradientNorm = 0;
        bool finite() const;
    };
    /// Computes loss and gradient of step `step` over all batches. Does not change the values.
    Result gradients(const EncodedCorpus& corpus, std::span<const std::vector<std::uint32_t>> batches,
                     std::int64_t step);
    /// Applies the step for which gradients() was called. `norm` is the norm it returned.
    void update(std::int64_t step, double norm);

  private:
    LossSums addGradients(const EncodedCorpus& corpus, const std::vector<std::uint32_t>& batch, double factor,
                          std::uint64_t number, std::size_t part);
    double sumParts();
    /// Returns the elements of a row that the thread of `part` sums and changes.
    at::Tensor own(const at::Tensor& row, std::size_t part) const;

    const TrainingConfig& config_;
    const TrainingNetwork& network_;
    TrainedValues& values_;
    network::Workers& workers_;
    std::size_t parts_;
    std::vector<at::Tensor> gradients_; ///< one per part
};

/// Sums the losses of a corpus, without gradients, dropout and smoothing. They do not depend on the order of
/// the corpus. Throws trace::Cancelled.
LossSums measureLosses(const TrainingNetwork& network, const EncodedCorpus& corpus,
                       const at::Tensor& parameters, network::Workers& workers, const std::stop_token& stop);

} // namespace headscope::training
