#pragma once

#include "model/training/operations.h"

#include <map>
#include <utility>

namespace headscope::training {

/// Operations with LibTorch's operators and automatic differentiation: on any device, optionally in mixed
/// precision (products in bfloat16, everything else in float32). Reference for testing the kernels of
/// TapeOperations.
class AutogradOperations : public Operations {
  public:
    /// `gradients` has the shape and device of `parameters`; undefined: only losses are computed. Dropout
    /// uses the device's own random generator.
    AutogradOperations(at::Tensor parameters, at::Tensor gradients, double dropout, bool mixedPrecision)
        : parameters_(std::move(parameters)), gradients_(std::move(gradients)), dropout_(dropout),
          mixedPrecision_(mixedPrecision) {}

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
    /// Returns a parameter whose gradient is its part of `gradients`.
    at::Tensor parameter(const Slice& slice);
    at::Tensor product(const at::Tensor& x, const LinearWeights& weights);
    at::Tensor drop(const at::Tensor& x) const;
    at::Tensor onDevice(const std::vector<std::int64_t>& numbers) const;

    at::Tensor parameters_;
    at::Tensor gradients_;
    double dropout_;
    bool mixedPrecision_;
    std::map<std::int64_t, at::Tensor> leaves_; ///< by begin of their slice
};

} // namespace headscope::training
