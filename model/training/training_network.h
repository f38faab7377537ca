#pragma once

#include "model/training/operations.h"

#include <string>
#include <vector>

namespace headscope::training {

/// Throws trace::Refusal for a network that TrainingNetwork does not compute.
void refuseUntrainable(const network::NetworkConfig& config);

/// The forward pass of network::Transformer over whole batches, with dropout where Vaswani et al. 2017,
/// section 5.4 has it, and in the feed-forward network and the attention weights. It computes with the same
/// parameters, under the same roles.
class TrainingNetwork {
  public:
    /// Whether it computes all that such a network does: it has no positions within attention.
    static bool computes(const network::NetworkConfig& config) {
        return !network::isInAttention(config.positions);
    }
    /// Throws trace::Refusal where it does not.
    TrainingNetwork(const network::NetworkConfig& config, const FlatParameters& parameters, bool causal);

    /// Sums of losses over the batch; also their gradients, if the operations compute them. Throws
    /// trace::Refusal for ids and places that have no parameters.
    LossSums loss(Operations& operations, const PackedBatch& batch, const LossOptions& options) const;

    /// What the generator, or the classifier, is applied to: [fed tokens or sentences, d_model].
    Value answers(Operations& operations, const PackedBatch& batch) const;

  private:
    struct Attention {
        LinearWeights queryKeyValue; ///< of self-attention
        LinearWeights query;         ///< of cross-attention
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
        Attention cross; ///< of a decoder
        FeedForward feedForward;
    };

    Attention attentionOf(const FlatParameters& parameters, const std::string& role,
                          const std::string& norm) const;
    Layer layerOf(const FlatParameters& parameters, const std::string& stack, int layer) const;
    EmbeddingWeights embeddingOf(const FlatParameters& parameters, const std::string& side) const;
    NormWeights normOf(const FlatParameters& parameters, const std::string& role, double epsilon) const;

    template <class Function>
    Value addSublayer(Operations& operations, const NormWeights& norm, const Value& x, Function&& f) const;
    Value selfAttention(Operations& operations, const Attention& attention, const Value& x,
                        const PackedSentences& tokens, int heads, bool causal) const;
    Value crossAttention(Operations& operations, const Attention& attention, const Value& x,
                         const Value& memory, const PackedBatch& batch) const;
    Value feedForward(Operations& operations, const FeedForward& weights, const Value& x) const;
    Value embed(Operations& operations, const EmbeddingWeights& weights, const NormWeights& norm,
                const PackedSentences& tokens) const;
    Value encode(Operations& operations, const PackedSentences& source) const;
    Value decode(Operations& operations, const Value& memory, const PackedBatch& batch) const;

    void refuseForeignIds(const PackedBatch& batch) const;

    network::NetworkConfig config_;
    bool causal_;
    EmbeddingWeights sourceEmbedding_;
    EmbeddingWeights targetEmbedding_;
    NormWeights sourceNorm_; ///< of the embeddings, where there is one
    NormWeights targetNorm_;
    std::vector<Layer> encoder_;
    std::vector<Layer> decoder_;
    NormWeights encoderNorm_;
    NormWeights decoderNorm_;
    LinearWeights generator_; ///< or the classifier
};

} // namespace headscope::training
