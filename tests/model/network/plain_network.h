#pragma once

#include "model/network/transformer.h"
#include "model/training/training_network.h"
#include "tests/model/network/compared_tensors.h"

/// What LibTorch's own operators compute of a network, one sentence at a time: the reference in float64, and
/// how far its own float32 is from that.
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
        Step step{.sums = {}, .gradients = at::zeros_like(flat)};
        for (std::size_t s = 0; s < batch.source.sentences(); ++s) {
            headscope::training::Operations operations(flat, step.gradients, {}, mixedPrecision);
            step.sums += training_.loss(operations, alone(batch, s), options);
        }
        return step;
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

    static headscope::training::PackedBatch alone(const headscope::training::PackedBatch& batch,
                                                  std::size_t s) {
        const auto within = [s](const headscope::training::PackedSentences& packed,
                                const std::vector<std::int64_t>& numbers) {
            const auto begin = static_cast<std::size_t>(packed.begin[s]);
            return std::span(numbers).subspan(begin, static_cast<std::size_t>(packed.begin[s + 1]) - begin);
        };
        headscope::training::PackedBatch one;
        one.source.add(within(batch.source, batch.source.ids));
        if (batch.fed.ids.empty()) {
            if (!batch.wanted.empty())
                one.wanted = {batch.wanted[s]};
            return one;
        }
        one.fed.add(within(batch.fed, batch.fed.ids));
        if (!batch.wanted.empty()) {
            const auto wanted = within(batch.fed, batch.wanted);
            one.wanted.assign(wanted.begin(), wanted.end());
        }
        return one;
    }

    at::Tensor encoderOutput(const at::Tensor& source, at::ScalarType type) const {
        headscope::training::Operations operations(flat_.to(type), {}, {});
        const auto batch = batchOf(source, at::empty({0}, at::kLong));
        return training_.encode(operations, {batch.source, {0, 1}});
    }

    at::Tensor logProbabilities(const headscope::training::PackedBatch& batch, at::ScalarType type) const {
        const auto flat = flat_.to(type);
        const auto weight = [&] {
            for (const char* role : {"classifier.weight", "generator.weight", "target_embedding.weight"})
                if (const auto slice = parameters_.at(role))
                    return slice.of(flat);
            return parameters_.at("source_embedding.weight").of(flat);
        };
        auto bias = parameters_.at("classifier.bias").of(flat);
        if (!bias.defined())
            bias = parameters_.at("generator.bias").of(flat);
        std::vector<at::Tensor> rows;
        for (std::size_t s = 0; s < batch.source.sentences(); ++s) {
            headscope::training::Operations operations(flat, {}, {});
            rows.push_back(training_.answers(operations, alone(batch, s)));
        }
        return at::linear(at::cat(rows), weight(), bias).log_softmax(-1);
    }

    headscope::network::NetworkConfig config_;
    headscope::training::FlatParameters parameters_;
    at::Tensor flat_;
    headscope::training::TrainingNetwork training_;
};
