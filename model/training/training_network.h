#pragma once

#include "model/training/operations.h"

#include <string>
#include <vector>

namespace headscope::training {

/// Throws trace::Refusal for a network that TrainingNetwork does not support.
void refuseUntrainable(const network::NetworkConfig& config);

/// Forward pass of network::Transformer over whole batches, with dropout as in Vaswani et al. 2017, section
/// 5.4, and also within the feed-forward network and on the attention weights. Uses the same parameters under
/// the same roles.
class TrainingNetwork {
  public:
    /// Returns true if the network is supported: positions within attention are not, nor what newer decoders
    /// have.
    static bool computes(const network::NetworkConfig& config);
    /// Throws trace::Refusal if the network is not supported.
    TrainingNetwork(const network::NetworkConfig& config, const FlatParameters& parameters, bool causal);

    /// Returns the sums of losses over the batch. Also computes their gradients if `operations` does. Throws
    /// trace::Refusal for ids and positions without parameters.
    LossSums loss(Operations& operations, const PackedBatch& batch, const LossOptions& options) const;

    /// Returns the input of the generator or classifier: [fed tokens or sentences, d_model].
    at::Tensor answers(Operations& operations, const PackedBatch& batch) const;
    /// Returns the output of the encoder, [rows * length, d_model].
    at::Tensor encode(Operations& operations, const SentenceRows& source) const;

  private:
    struct Attention {
        LinearWeights queryKeyValue; ///< self-attention only
        LinearWeights query;         ///< cross-attention only
        LinearWeights keyValue;
        LinearWeights output;
        NormWeights norm;
    };
    struct FeedForward {
        LinearWeights in;
        LinearWeights out;
        NormWeights norm;
    };
    struct Layer {
        Attention self;
        Attention cross; ///< decoder only
        FeedForward feedForward;
    };

    Attention attentionOf(const FlatParameters& parameters, const std::string& role,
                          const std::string& norm) const;
    Layer layerOf(const FlatParameters& parameters, const std::string& stack, int layer) const;
    EmbeddingWeights embeddingOf(const FlatParameters& parameters, const std::string& side) const;
    NormWeights normOf(const FlatParameters& parameters, const std::string& role, double epsilon) const;

    template <class Function>
    at::Tensor addSublayer(Operations& operations, const NormWeights& norm, const at::Tensor& x,
                           Function&& f) const;
    at::Tensor selfAttention(Operations& operations, const Attention& attention, const at::Tensor& x,
                             const SentenceRows& tokens, const network::StackConfig& stack,
                             bool causal) const;
    at::Tensor crossAttention(Operations& operations, const Attention& attention, const at::Tensor& x,
                              const at::Tensor& memory, const SentenceRows& fed,
                              const SentenceRows& source) const;
    at::Tensor feedForward(Operations& operations, const FeedForward& weights, const at::Tensor& x) const;
    at::Tensor embed(Operations& operations, const EmbeddingWeights& weights, const NormWeights& norm,
                     const SentenceRows& tokens) const;
    at::Tensor decode(Operations& operations, const at::Tensor& memory, const SentenceRows& source,
                      const SentenceRows& fed) const;

    void refuseForeignIds(const PackedBatch& batch) const;

    network::NetworkConfig config_;
    bool causal_;
    EmbeddingWeights sourceEmbedding_;
    EmbeddingWeights targetEmbedding_;
    NormWeights sourceNorm_; ///< norm of the embeddings, if there is one
    NormWeights targetNorm_;
    std::vector<Layer> encoder_;
    std::vector<Layer> decoder_;
    NormWeights encoderNorm_;
    NormWeights decoderNorm_;
    LinearWeights generator_; ///< or the classifier
};

} // namespace headscope::training
