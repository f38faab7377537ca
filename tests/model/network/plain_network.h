#pragma once

#include "model/network/transformer.h"
#include "model/training/autograd_operations.h"
#include "model/training/training_network.h"
#include "tests/model/network/compared_tensors.h"

/// What LibTorch's own operators compute of a network: the reference in float64, and how far its own float32
/// is from that.
class PlainNetwork {
  public:
    explicit PlainNetwork(const headscope::network::Transformer& network, bool causal = true)
        : config_(network.config()), parameters_(network), flat_(at::zeros({parameters_.size()})),
          training_(config_, parameters_, causal) {
        parameters_.read(network, flat_);
    }

    /// Of one sentence.
    static headscope::training::PackedBatch batchOf(const at::Tensor& source, const at::Tensor& fed) {
        const auto ids = [](const at::Tensor& tensor) {
            return std::span(tensor.data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel()));
        };
        headscope::training::PackedBatch batch;
        batch.source.add(ids(source));
        batch.fed.add(ids(fed));
        return batch;
    }

    /// [fed tokens or sentences, vocabulary or classes] in float64.
    at::Tensor logProbabilities(const headscope::training::PackedBatch& batch) const {
        return logProbabilities(batch, at::kDouble);
    }
    /// Ours may be four times as far from them as PyTorch's float32.
    headscope::tests::Limit limit(const headscope::training::PackedBatch& batch) const {
        return fourTimes("log-probabilities", logProbabilities(batch, at::kFloat), logProbabilities(batch));
    }

    /// [tokens, d_model] of an encoder alone, in float64.
    at::Tensor encoderOutput(const at::Tensor& source) const { return encoderOutput(source, at::kDouble); }
    headscope::tests::Limit limitOfEncoderOutput(const at::Tensor& source) const {
        return fourTimes("the encoder's output", encoderOutput(source, at::kFloat), encoderOutput(source));
    }

    struct Step {
        headscope::training::LossSums sums;
        at::Tensor gradients; ///< of the smoothed loss with respect to all parameters
    };
    /// In float64, float32 or, in mixed precision, with products in bfloat16.
    Step step(const headscope::training::PackedBatch& batch, const headscope::training::LossOptions& options,
              at::ScalarType type = at::kDouble, bool mixedPrecision = false) const {
        const auto flat = flat_.to(type);
        const auto gradients = at::zeros_like(flat);
        headscope::training::AutogradOperations operations(flat, gradients, 0, mixedPrecision);
        return {training_.loss(operations, batch, options), gradients};
    }
    headscope::tests::Limit limitOfGradients(const headscope::training::PackedBatch& batch,
                                             const headscope::training::LossOptions& options,
                                             bool mixedPrecision = false) const {
        return fourTimes(mixedPrecision ? "gradients with products in bfloat16" : "gradients",
                         step(batch, options, at::kFloat, mixedPrecision).gradients,
                         step(batch, options).gradients);
    }
    /// Of a sum of losses, each of which is a mean of the log-probabilities of its row.
    headscope::tests::Limit limitOfLoss(const headscope::training::PackedBatch& batch) const {
        const auto distances = logProbabilities(batch, at::kFloat) - logProbabilities(batch);
        const double sum = distances.abs().amax(1).sum().item<double>();
        return {4 * sum, "4 x PyTorch's float32 in all rows of log-probabilities (" +
                             headscope::tests::inWords(sum) + ")"};
    }

  private:
    static headscope::tests::Limit fourTimes(const std::string& what, const at::Tensor& narrow,
                                             const at::Tensor& wide) {
        namespace tests = headscope::tests;
        const double distance = tests::largestSize(narrow.to(at::kDouble) - wide);
        return {4 * distance, "4 x PyTorch's float32 in " + what + " (" + tests::inWords(distance) + ")"};
    }

    at::Tensor encoderOutput(const at::Tensor& source, at::ScalarType type) const {
        class EveryToken : public headscope::training::AutogradOperations {
          public:
            using AutogradOperations::AutogradOperations;
            headscope::training::Value maximum(const headscope::training::Value& x,
                                               const headscope::training::PackedSentences&) override {
                return x;
            }
        };
        EveryToken operations(flat_.to(type), {}, 0, /*mixedPrecision=*/false);
        return training_.answers(operations, batchOf(source, at::empty({0}, at::kLong)))->value;
    }

    at::Tensor logProbabilities(const headscope::training::PackedBatch& batch, at::ScalarType type) const {
        const auto flat = flat_.to(type);
        headscope::training::AutogradOperations operations(flat, {}, 0, /*mixedPrecision=*/false);
        const auto weight = [&] {
            for (const char* role : {"classifier.weight", "generator.weight", "target_embedding.weight"})
                if (const auto slice = parameters_.at(role))
                    return slice.of(flat);
            return parameters_.at("source_embedding.weight").of(flat);
        };
        auto bias = parameters_.at("classifier.bias").of(flat);
        if (!bias.defined())
            bias = parameters_.at("generator.bias").of(flat);
        return at::linear(training_.answers(operations, batch)->value, weight(), bias).log_softmax(-1);
    }

    headscope::network::NetworkConfig config_;
    headscope::training::FlatParameters parameters_;
    at::Tensor flat_;
    headscope::training::TrainingNetwork training_;
};
