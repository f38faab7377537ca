#pragma once

#include <cstdint>
#include <string_view>

namespace headscope::network {

/// Where the norm stands around a sublayer f. The residual stream is x.
enum class NormScheme {
    Pre,               ///< x + f(norm(x))
    Post,              ///< norm(x + f(x)), Vaswani et al. 2017, section 3.1
    PreNormedResidual, ///< y + f(y) with y = norm(x): the stream carries the normalised value on
    SublayerOutput,    ///< x + norm(f(x))
};

enum class NormKind {
    LayerNorm,          ///< (x - mean) / sqrt(biased variance + eps), Ba et al. 2016
    AnnotatedLayerNorm, ///< (x - mean) / (unbiased standard deviation + eps)
    RootMeanSquare,     ///< x / sqrt(mean square + eps), no bias, Zhang & Sennrich 2019
};

enum class Activation { Relu, Gelu, GeluTanh, Silu };

/// How the network knows where a token stands: by vectors added to the embeddings, or within self-attention.
enum class PositionScheme {
    None,
    Table,               ///< stored in the checkpoint, learned or not
    SinusoidInterleaved, ///< sine at even, cosine at odd dimensions, Vaswani et al. 2017, section 3.5
    SinusoidHalves,      ///< sines in the first half, cosines in the second
    RelativeBuckets,     ///< a learned number by head and distance added to scores, Raffel et al. 2020
    Rotary,              ///< queries and keys turned by their place, Su et al. 2021
};

/// Whether the scheme is a table of vectors that a formula gives.
inline bool isSinusoid(PositionScheme scheme) {
    return scheme == PositionScheme::SinusoidInterleaved || scheme == PositionScheme::SinusoidHalves;
}
/// Whether positions stand in self-attention instead of the embeddings.
inline bool isInAttention(PositionScheme scheme) {
    return scheme == PositionScheme::RelativeBuckets || scheme == PositionScheme::Rotary;
}

/// What a closed key's score is replaced with before the softmax.
enum class MaskFill {
    MinusBillion,     ///< -1e9: a row without an open key becomes uniform
    LowestFinite,     ///< the most negative float
    NegativeInfinity, ///< a row without an open key becomes NaN
};

/// What the encoder closes where the source is padded.
enum class EncoderMask {
    Keys,      ///< no query sees a pad key
    QueryRows, ///< a pad query sees no key; pad keys stay open to the others
    None,      ///< nothing is masked
};

/// Which linear maps have a bias.
struct Biases {
    bool queryKeyValue = true;
    bool attentionOutput = true;
    bool feedForward = true;
    bool generator = true;
    bool norm = true;
    friend bool operator==(const Biases&, const Biases&) = default;
};

/// One transformer, whatever program trained it: a family of checkpoints is a setting of these flags.
struct NetworkConfig {
    int encoderLayers = 0;
    int decoderLayers = 0; ///< 0: encoder only
    int modelWidth = 0;    ///< d_model
    int feedForwardWidth = 0;
    int encoderHeads = 0;
    int decoderHeads = 0;
    int headWidth = 0;                 ///< d_k of each head; heads * headWidth need not be d_model
    std::int64_t sourceVocabulary = 0; ///< 0: no embedding, runs on vectors alone
    std::int64_t targetVocabulary = 0;
    std::int64_t classes =
        0; ///< scores of a classifier on the encoder, over the largest value of each feature

    NormScheme normScheme = NormScheme::Pre;
    NormKind normKind = NormKind::LayerNorm;
    double normEpsilon = 1e-5;
    bool encoderFinalNorm = true;
    bool decoderFinalNorm = true;
    bool embeddingNorm = false; ///< a norm on the sum of embedding and position
    double embeddingNormEpsilon = 1e-5;

    double embeddingScale = 1; ///< embeddings are multiplied by it before positions are added
    PositionScheme positions = PositionScheme::Table;
    double positionBase = 10000;       ///< of the sinusoids' or the rotation's wavelengths
    int positionBuckets = 32;          ///< of RelativeBuckets
    int positionDistance = 128;        ///< from where on all distances share a bucket
    std::int64_t maximumPositions = 0; ///< rows of the table; 0: there is none

    Activation activation = Activation::Relu;
    Biases biases;
    bool tiedSourceTarget = false;     ///< one embedding for source and target
    bool tiedGenerator = false;        ///< the output projection is the target embedding
    bool tiedPositions = false;        ///< one stored table of positions for source and target
    bool tiedDecoderAttention = false; ///< cross-attention has the weights of the layer's self-attention

    double scoreScale = 1; ///< q . k is multiplied by it; 1/sqrt(d_k) in the paper's equation 1
    MaskFill maskFill = MaskFill::NegativeInfinity;
    EncoderMask encoderMask = EncoderMask::Keys;
    bool targetPaddingMasked = true; ///< pad keys of the target are closed
    friend bool operator==(const NetworkConfig&, const NetworkConfig&) = default;
};

std::string_view name(NormScheme scheme);
std::string_view name(NormKind kind);
std::string_view name(Activation activation);
std::string_view name(PositionScheme scheme);
std::string_view name(MaskFill fill);
std::string_view name(EncoderMask mask);

} // namespace headscope::network
