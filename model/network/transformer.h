#pragma once

#include "model/network/attention_positions.h"
#include "model/network/decoder_layer.h"
#include "model/network/encoder_layer.h"
#include "model/network/network_config.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"
#include "model/network/token_embedding.h"

#include <optional>
#include <vector>

namespace headscope::network {

/// What decoding one sentence needs beside the next token: the encoder's output as each layer reads it, and
/// the keys and values of the tokens fed so far.
struct DecoderState {
    at::Tensor openSource;          ///< [S] bool: source tokens that are no padding
    at::Tensor openTarget;          ///< [fed] bool: fed tokens that are no padding
    std::vector<KeysValues> memory; ///< one a layer
    std::vector<KeyValueCache> fed; ///< one a layer
    std::int64_t length() const { return openTarget.size(0); }
};

/// The encoder-decoder of Vaswani et al. 2017 with the variations of NetworkConfig. Sequences have no batch
/// dimension: padding is given as tokens, so that its masks can be seen.
class Transformer {
  public:
    explicit Transformer(const NetworkConfig& config) : Transformer(config, at::kCPU) {}

    /// In bytes, what a network of this configuration would hold. Allocates nothing of the kind.
    static double memoryNeeded(NetworkConfig config);

    const NetworkConfig& config() const { return config_; }
    /// What must be filled before anything is computed; tied weights are listed once.
    const std::vector<Parameter>& parameters() const { return list_.parameters(); }
    /// Only where there is a source vocabulary.
    const TokenEmbedding& sourceEmbedding() const { return *sourceEmbedding_; }
    /// Only where there is a decoder.
    const TokenEmbedding& targetEmbedding() const { return *targetEmbedding_; }

    /// Only where there is such a stack.
    const StackPositions& encoderPositions() const { return *encoderPositions_; }
    const StackPositions& decoderPositions() const { return *decoderPositions_; }

    /// Before the generator; nothing where the decoder ends without a norm.
    const std::optional<Norm>& decoderFinalNorm() const { return decoderFinalNorm_; }
    const Linear& generator() const { return generator_; }

    /// Throws std::out_of_range where there is no such site.
    AttentionModule attention(const trace::AttentionSite& site) const;

    /// x [S, d_model] with positions inside, openSource [S] bool -> [S, d_model] after the final norm.
    at::Tensor encode(at::Tensor x, const at::Tensor& openSource, const Pass& pass) const;

    /// `capacity`: how many target tokens are expected; more are possible. `observer`, which may be null, is
    /// asked between the layers whether it goes on.
    DecoderState startDecoding(const at::Tensor& encoderOutput, const at::Tensor& openSource,
                               std::int64_t capacity, ForwardObserver* observer = nullptr) const;

    /// Feeds the next n tokens: ids [n] int64, open [n] bool -> [n, d_model] after the final norm.
    at::Tensor decode(const at::Tensor& ids, const at::Tensor& open, DecoderState& state,
                      const Pass& pass) const;

    /// What is added to n target tokens from `first` on, [n, d_model]; zero where there are no positions.
    at::Tensor targetPositions(std::int64_t first, std::int64_t n, const Pass& pass) const {
        return targetEmbedding_->positions(first, n, placesOf(pass, first, n));
    }

    const Linear& classifier() const { return classifier_; } // weight [classes, d_model]
    /// [S, d_model] -> [classes] over the largest value of each feature. Only of a classifier.
    at::Tensor classLogits(const at::Tensor& encoderOutput) const;
    at::Tensor classLogProbabilities(const at::Tensor& encoderOutput) const {
        return classLogits(encoderOutput).log_softmax(-1);
    }

    /// [n, d_model] -> [n, vocabulary] log-probabilities of the next token.
    at::Tensor logProbabilities(const at::Tensor& decoderOutput) const;

  private:
    Transformer(const NetworkConfig& config, c10::Device device);

    at::Tensor placesOf(const Pass& pass, std::int64_t first, std::int64_t n) const;

    NetworkConfig config_;
    ParameterList list_;
    std::optional<TokenEmbedding> sourceEmbedding_;
    std::optional<TokenEmbedding> targetEmbedding_;
    std::optional<StackPositions> encoderPositions_;
    std::optional<StackPositions> decoderPositions_;
    std::vector<EncoderLayer> encoderLayers_;
    std::vector<DecoderLayer> decoderLayers_;
    std::optional<Norm> encoderFinalNorm_;
    std::optional<Norm> decoderFinalNorm_;
    Linear generator_;
    Linear classifier_;
};

} // namespace headscope::network
