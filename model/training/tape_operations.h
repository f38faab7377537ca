#pragma once

#include "model/training/kernels.h"
#include "model/training/operations.h"

#include <functional>
#include <utility>
#include <vector>

namespace headscope::training {

/// What decides every dropped element: the same numbers, the same elements.
struct DropoutSource {
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    std::uint64_t part = 0; ///< of the batch
    double probability = 0;
};

/// The operators on the processor, float32, on the calling thread alone. Each writes down how its gradients
/// are computed; gradients of parameters are added to a row like that of the parameters at once. That is
/// autograd without its bookkeeping, and with one pass over memory where LibTorch's operators make several.
class TapeOperations : public Operations {
  public:
    /// `gradients` undefined: only the losses are wanted. `rounded`, the parameters in bfloat16: products are
    /// of numbers of 16 bits; undefined: of all.
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
    /// What is dropped of one tensor; no bytes where nothing is.
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
    /// A factor of products: rounded where these are of 16 bits.
    at::Tensor factor(const at::Tensor& x) const;
    const at::Tensor& factors() const { return rounded_.defined() ? rounded_ : parameters_; }
    /// to = x weight^T + bias; x is a factor().
    void multiply(at::Tensor& to, const at::Tensor& x, const LinearWeights& weights) const;
    /// What a product's gradient adds to those of its weights, and to x's; `gradient` and x are factors.
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
