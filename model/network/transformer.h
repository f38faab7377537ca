#pragma once

#include "model/network/attention_positions.h"
#include "model/network/decoder_layer.h"
#include "model/network/encoder_layer.h"
#include "model/network/network_config.h"
#include "model/network/output_head.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"
#include "model/network/token_embedding.h"

#include <optional>
#include <vector>

namespace headscope::network {

/// State of decoding one sentence: keys and values of the encoder output for each layer, and of the tokens
/// fed so far.
struct DecoderState {
    at::Tensor openSource;          ///< [S] bool: source tokens that are not padding; S = 0 without encoder
    at::Tensor openTarget;          ///< [fed] bool: fed tokens that are not padding
    std::vector<KeysValues> memory; ///< one per layer
    std::vector<KeyValueCache> fed; ///< one per layer
    std::int64_t length() const { return openTarget.size(0); }
};

/// Encoder-decoder of Vaswani et al. 2017, or one of its stacks alone, with the variations of NetworkConfig.
/// Sequences have no batch dimension: padding is passed as tokens, so that its masks are visible.
class Transformer {
  public:
    /// With parameters to be filled before any computation.
    explicit Transformer(const NetworkConfig& config) : Transformer(config, ParameterList()) {}
    /// With parameters of `source`, which is not used afterwards.
    Transformer(const NetworkConfig& config, ParameterSource& source)
        : Transformer(config, ParameterList(source)) {}

    /// Returns the memory of a network with this configuration in bytes if its parameters are float32,
    /// without allocating it, and that of its tables of positions alone.
    static double memoryNeeded(NetworkConfig config);
    static double memoryOfPositions(const NetworkConfig& config);

    const NetworkConfig& config() const { return config_; }
    /// Tied weights are listed once.
    const std::vector<Parameter>& parameters() const { return list_.parameters(); }
    /// Requires a source vocabulary.
    const TokenEmbedding& sourceEmbedding() const { return *sourceEmbedding_; }
    /// Requires a decoder.
    const TokenEmbedding& targetEmbedding() const { return *targetEmbedding_; }

    /// Positions within self-attention: one for all layers, or one per layer; none without the stack.
    const std::vector<StackPositions>& encoderPositions() const { return encoderPositions_; }
    const std::vector<StackPositions>& decoderPositions() const { return decoderPositions_; }
    /// Positions that one layer uses. Requires the stack.
    const StackPositions& encoderPositions(int layer) const { return of(encoderPositions_, layer); }
    const StackPositions& decoderPositions(int layer) const { return of(decoderPositions_, layer); }

    /// Norm of the encoder's output; nullopt if it has none.
    const std::optional<Norm>& encoderFinalNorm() const { return encoderFinalNorm_; }
    /// Norm before the generator; nullopt if the decoder has none.
    const std::optional<Norm>& decoderFinalNorm() const { return decoderFinalNorm_; }

    /// Throws std::out_of_range if there is no such site.
    AttentionModule attention(const trace::AttentionSite& site) const;
    /// Norm of a sublayer, at the place that the scheme gives it. Throws std::out_of_range if there is no
    /// such sublayer.
    const Norm& norm(const trace::SublayerAddress& sublayer) const;

    /// x [S, d_model] with positions included, openSource [S] bool -> [S, d_model] after the final norm.
    /// Without an encoder, S is 0.
    at::Tensor encode(at::Tensor x, const at::Tensor& openSource, const Pass& pass) const;

    /// `capacity`: expected number of target tokens; more are possible. `observer` may be null; its report()
    /// is called between layers.
    DecoderState startDecoding(const at::Tensor& encoderOutput, const at::Tensor& openSource,
                               std::int64_t capacity, ForwardObserver* observer = nullptr) const;

    /// Feeds the next n tokens: ids [n] int64, open [n] bool -> [n, d_model] after the final norm.
    at::Tensor decode(const at::Tensor& ids, const at::Tensor& open, DecoderState& state,
                      const Pass& pass) const;

    /// Returns the positional vectors of n target tokens starting at `first`, [n, d_model]; zero without
    /// positions.
    at::Tensor targetPositions(std::int64_t first, std::int64_t n, const Pass& pass) const {
        return targetEmbedding_->positions(first, n, placesOf(pass, first, n));
    }

    /// Head of the decoder, without NetworkConfig::outputScale, or that on the encoder output, of classes or
    /// token prediction. Requires one of these.
    const OutputHead& head() const { return *head_; }
    /// Output projection of the classifier, [classes, d_model]. Classifiers only, as the following.
    const Linear& classifier() const { return head_->output(); }
    /// Returns the features that the output projection reads, [S, d_model] -> [d_model].
    at::Tensor classFeatures(const at::Tensor& encoderOutput) const;
    /// [S, d_model] -> [classes]
    at::Tensor classLogits(const at::Tensor& encoderOutput) const {
        return classifier()(classFeatures(encoderOutput));
    }
    /// As ClassifierOutput has them; numbers have none.
    at::Tensor classLogProbabilities(const at::Tensor& encoderOutput) const;

    /// Log-probabilities of each token, as if it were masked, or of its labels: [n, d_model] -> [n, source
    /// vocabulary or labels]. Requires TokenPrediction::Masked or Labels.
    at::Tensor tokenLogProbabilities(const at::Tensor& encoderOutput) const;
    /// Probability that a token was replaced: [n, d_model] -> [n]. Requires TokenPrediction::Replaced.
    at::Tensor replacedProbabilities(const at::Tensor& encoderOutput) const;
    /// Log-probabilities that an answer starts and ends at each token, each over all tokens: [S, d_model] ->
    /// [2, S]. Requires TokenPrediction::Span.
    at::Tensor spanLogProbabilities(const at::Tensor& encoderOutput) const;

    /// [n, d_model] -> [n, vocabulary] logits of the next token, within the cap if there is one.
    at::Tensor logits(const at::Tensor& decoderOutput) const;
    /// [n, d_model] -> [n, vocabulary] log-probabilities of the next token.
    at::Tensor logProbabilities(const at::Tensor& decoderOutput) const;

  private:
    Transformer(const NetworkConfig& config, ParameterList list);

    static const StackPositions& of(const std::vector<StackPositions>& positions, int layer) {
        return positions.size() == 1 ? positions.front() : positions.at(layer);
    }

    at::Tensor placesOf(const Pass& pass, std::int64_t first, std::int64_t n) const;

    NetworkConfig config_;
    ParameterList list_;
    std::optional<TokenEmbedding> sourceEmbedding_;
    std::optional<TokenEmbedding> targetEmbedding_;
    std::vector<StackPositions> encoderPositions_; ///< one for all layers, or one per layer
    std::vector<StackPositions> decoderPositions_;
    std::vector<EncoderLayer> encoderLayers_;
    std::vector<DecoderLayer> decoderLayers_;
    std::optional<Norm> encoderFinalNorm_;
    std::optional<Norm> decoderFinalNorm_;
    std::optional<Linear> bridge_; ///< from the encoder's width to the decoder's
    std::optional<OutputHead> head_;
};

} // namespace headscope::network
