#pragma once

#include "model/training/kernels.h"
#include "model/training/operations.h"

#include <functional>
#include <utility>
#include <vector>

namespace headscope::training {

/// Determines all dropped elements: equal values drop equal elements.
struct DropoutSource {
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    std::uint64_t part = 0; ///< part of the batch
    double probability = 0;
};

/// Operations on the CPU in float32, on the calling thread only. Each operator records how to compute its
/// gradients; gradients of parameters are added directly to one row in the layout of the parameters. Works
/// like autograd without its bookkeeping, and with one pass over memory where LibTorch's operators need
/// several.
class TapeOperations : public Operations {
  public:
    /// `gradients` undefined: only losses are computed. `rounded` are the parameters in bfloat16, which
    /// products then use; undefined: products use float32.
    TapeOperations(at::Tensor parameters, at::Tensor gradients, const DropoutSource& dropout,
                   at::Tensor rounded = {})
        : parameters_(std::move(parameters)), gradients_(std::move(gradients)), rounded_(std::move(rounded)),
          dropout_(dropout) {}

    Value embed(const EmbeddingWeights& weights, const PackedSentences& tokens) override;
    Value linear(const Value& x, const LinearWeights& weights) override;
    Value norm(const Value& x, const NormWeights& weights) override;
    Value activate(const Value& x, network::Activation activation) override;
    Value dropped(const Value& x) override;
    Value addDropped(const Value& x, const Value& added) override;
    Value attend(const Value& q, const Value& memory, const AttentionShape& shape) override;
    Value maximum(const Value& x, const PackedSentences& tokens) override;
    LossSums loss(const Value& x, const LinearWeights& generator, const std::vector<std::int64_t>& wanted,
                  const LossOptions& options) override;

  private:
    /// Dropout of one tensor; `bytes` undefined: nothing is dropped.
    struct Dropped {
        kernels::Dropout dropout;
        at::Tensor bytes;
        const std::uint8_t* data() const;
    };
    Dropped drop(std::size_t elements);

    template <class Work>
    void later(Work&& work) {
        if (gradients_.defined())
            tape_.emplace_back(std::forward<Work>(work));
    }
    void runBackwards();
    /// Returns x as operand of products: rounded to bfloat16 if products use that.
    at::Tensor factor(const at::Tensor& x) const;
    const at::Tensor& factors() const { return rounded_.defined() ? rounded_ : parameters_; }
    /// to = x weight^T + bias; x must come from factor().
    void multiply(at::Tensor& to, const at::Tensor& x, const LinearWeights& weights) const;
    /// Adds the gradients of a product to those of its weights. `gradient` and x must come from factor().
    void addProductGradients(const at::Tensor& gradient, const at::Tensor& x,
                             const LinearWeights& weights) const;
    void addInputGradient(at::Tensor& to, const at::Tensor& gradient, const LinearWeights& weights) const;

    at::Tensor parameters_;
    at::Tensor gradients_;
    at::Tensor rounded_;
    DropoutSource dropout_;
    std::uint64_t drops_ = 0;
    std::vector<std::function<void()>> tape_;
};

} // namespace headscope::training
