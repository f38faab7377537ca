#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/classifier_output.h"
#include "model/trace/token_prediction.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::network {

/// Position of the norm relative to a sublayer f. The residual stream is x.
enum class NormScheme {
    Pre,               ///< x + f(norm(x))
    Post,              ///< norm(x + f(x)), Vaswani et al. 2017, section 3.1
    PreNormedResidual, ///< y + f(y) with y = norm(x): the stream continues with the normalised value
    SublayerOutput,    ///< x + norm(f(x))
    Sandwich,          ///< x + norm'(f(norm(x)))
    Parallel, ///< x + f(norm(x)) + g(norm'(x)): the feed-forward network g reads what attention f reads
};

enum class NormKind {
    LayerNorm,          ///< (x - mean) / sqrt(biased variance + eps), Ba et al. 2016
    AnnotatedLayerNorm, ///< (x - mean) / (unbiased standard deviation + eps)
    RootMeanSquare,     ///< x / sqrt(mean square + eps), no bias, Zhang & Sennrich 2019
};

/// Norm of queries and of keys, before a rotation.
enum class QueryKeyNorm {
    None,
    PerHead, ///< each head's d_k numbers, with one gain for all heads (Henry et al. 2020)
    Whole,   ///< the numbers of all heads together
};

enum class Activation { Relu, Gelu, GeluTanh, Silu, Tanh, None };

/// How the network represents token positions: by vectors added to the embeddings, or within self-attention.
enum class PositionScheme {
    None,
    Table,                   ///< stored in the checkpoint, learned or not
    SinusoidInterleaved,     ///< sine at even, cosine at odd dimensions, Vaswani et al. 2017, section 3.5
    SinusoidHalves,          ///< sines in the first half, cosines in the second
    SinusoidHalvesInclusive, ///< the same, with wavelengths up to base * 2 pi itself (Tensor2Tensor)
    RelativeBuckets,         ///< a learned value per head and distance added to scores, Raffel et al. 2020
    LinearBias,   ///< minus a slope per head times the distance added to scores, Press et al. 2022 (ALiBi)
    Rotary,       ///< queries and keys rotated by their position, Su et al. 2021
    Disentangled, ///< queries times keys of distances, and keys times queries of distances, He et al. 2021
};

/// Returns true if the scheme is a table of vectors computed by a formula.
inline bool isSinusoid(PositionScheme scheme) {
    return scheme == PositionScheme::SinusoidInterleaved || scheme == PositionScheme::SinusoidHalves ||
           scheme == PositionScheme::SinusoidHalvesInclusive;
}
/// Returns true if positions are applied in self-attention instead of the embeddings.
inline bool isInAttention(PositionScheme scheme) {
    return scheme == PositionScheme::RelativeBuckets || scheme == PositionScheme::LinearBias ||
           scheme == PositionScheme::Rotary || scheme == PositionScheme::Disentangled;
}

/// Change of the rotation's frequencies for inputs longer than those of the first training.
enum class RotationScaling {
    None,
    Linear,  ///< all frequencies divided by the factor, Chen et al. 2023
    Dynamic, ///< none up to the original length; longer inputs are not supported
    Llama3,  ///< low frequencies divided, high ones kept, a linear transition between (Llama 3.1)
    Yarn,    ///< the same by dimension, and longer vectors, Peng et al. 2023
    Long,    ///< a factor per pair of dimensions, Ding et al. 2024; inputs up to the original length
};

/// Rotation of queries and keys, for PositionScheme::Rotary.
struct Rotation {
    double part = 1;          ///< share of a head's dimensions that rotate, from the first on
    bool interleaved = false; ///< dimensions 2m and 2m + 1 are a pair, instead of m and m + pairs
    RotationScaling scaling = RotationScaling::None;
    double factor = 1;          ///< for Linear, Llama3, Yarn
    double originalLength = 0;  ///< tokens in the first training; for all but Linear
    double low = 1;             ///< rotations over the original length: divided below, for Llama3 and Yarn
    double high = 4;            ///< kept above this number of rotations
    double length = 1;          ///< multiplies rotated queries and keys, for Yarn and Long
    std::vector<double> shares; ///< divisor of each frequency, for Long

    /// Number of dimensions of a head that rotate. The share may be a rounded quotient.
    int widthIn(int headWidth) const { return static_cast<int>(headWidth * part + 1e-9); }
    friend bool operator==(const Rotation&, const Rotation&) = default;
};

/// Score of masked keys in the softmax.
enum class MaskFill {
    MinusBillion,     ///< -1e9: a row without an allowed key becomes uniform
    LowestFinite,     ///< the most negative float
    NegativeInfinity, ///< a row without an allowed key becomes NaN
};

/// What the encoder masks if the source is padded.
enum class EncoderMask {
    Keys,      ///< no query attends to padding
    QueryRows, ///< padding attends to nothing; other queries may attend to padding
    None,      ///< nothing is masked
    Both,      ///< padding attends to nothing, nothing attends to it, and its embedding is 0
};

/// Which modules have a bias.
struct Biases {
    bool queryKeyValue = true;
    bool attentionOutput = true;
    bool feedForward = true;
    bool generator = true;
    bool norm = true;
    friend bool operator==(const Biases&, const Biases&) = default;
};

/// Mixture of experts (Shazeer et al. 2017): feed-forward networks of one layer, of which each token uses
/// those that the layer's router prefers.
struct ExpertsConfig {
    int count = 0;            ///< of a layer; 0: the stack has none
    int used = 0;             ///< by each token
    int width = 0;            ///< d_ff of one expert
    int sharedWidth = 0;      ///< d_ff of a gated expert that every token uses, too; 0: there is none
    bool normalised = false;  ///< the weights of the used experts add up to 1
    std::vector<bool> layers; ///< that have experts; empty: all
    friend bool operator==(const ExpertsConfig&, const ExpertsConfig&) = default;
};

/// One stack of layers: its sizes, and what stacks of one network may have in different ways.
struct StackConfig {
    int layers = 0; ///< 0: the network lacks the stack
    int heads = 0;
    int headWidth = 0; ///< d_k of each head; heads * headWidth need not be d_model
    /// Heads of keys and values; query head h uses the one at floor(h * keyValueHeads / heads) (Ainslie et
    /// al. 2023). 0: as many as heads.
    int keyValueHeads = 0;
    int feedForwardWidth = 0; ///< of layers without experts; that of an expert if there are none
    double scoreScale = 1;    ///< multiplies q . k; 1/sqrt(d_k) in equation 1 of the paper
    bool finalNorm = true;
    std::int64_t window = 0;    ///< keys that a windowed layer attends to, the query's own included
    std::vector<bool> windowed; ///< by layer; empty: none
    ExpertsConfig experts;
    int width = 0; ///< of its vectors; 0: d_model of the network
    NormScheme normScheme = NormScheme::Pre;
    double normEpsilon = 1e-5;
    bool embeddingNorm = false; ///< norm of the sum of embedding and position
    double embeddingNormEpsilon = 1e-5;
    Activation activation = Activation::Relu;
    int sharedHeads() const { return keyValueHeads > 0 ? keyValueHeads : heads; }
    bool isWindowed(int layer) const { return window > 0 && !windowed.empty() && windowed[layer]; }
    bool hasExperts(int layer) const {
        return experts.count > 0 && (experts.layers.empty() || experts.layers[layer]);
    }
    friend bool operator==(const StackConfig&, const StackConfig&) = default;
};

/// Rows of a positional table.
struct PositionRows {
    std::int64_t usable = 0;
    std::int64_t first = 0; ///< that of the first token
    friend bool operator==(const PositionRows&, const PositionRows&) = default;
};

/// What a classifier of whole texts reads.
enum class ClassifierInput {
    Maximum,    ///< the maximum of each encoder feature over the tokens
    FirstToken, ///< the encoder output at the first token, such as "[CLS]"
};

/// Layers of a head before its output projection.
struct HeadConfig {
    /// activation(W x + b), as wide as the embedding for tokens of a vocabulary, else as the model.
    bool hidden = false;
    Activation activation = Activation::Gelu; ///< None: a map without bias
    bool norm = false;                        ///< of the hidden layer
    friend bool operator==(const HeadConfig&, const HeadConfig&) = default;
};

/// Architecture of a transformer, independent of the program that trained it. Each family of checkpoints is a
/// combination of these flags.
struct NetworkConfig {
    StackConfig encoder;
    StackConfig decoder;
    int modelWidth = 0;                ///< d_model
    std::int64_t sourceVocabulary = 0; ///< 0: no embedding; runs on vectors only
    std::int64_t targetVocabulary = 0;
    /// Outputs of a classifier on the encoder output, of the text or (TokenPrediction::Labels) of each token;
    /// 0: no classifier.
    std::int64_t classes = 0;
    ClassifierInput classifierInput = ClassifierInput::Maximum;
    trace::ClassifierOutput classifierOutput =
        trace::ClassifierOutput::OneClass;                                 ///< of a classifier of texts
    trace::TokenPrediction tokenPrediction = trace::TokenPrediction::None; ///< of an encoder alone
    HeadConfig head; ///< of classes, token prediction or the decoder; a network has one head at most

    NormKind normKind = NormKind::LayerNorm;
    bool normUnitOffset = false; ///< gains are stored as their difference from 1
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;

    /// Width of source embeddings, their positions and norm, if they are projected to d_model; 0: d_model.
    int embeddingWidth = 0;
    /// Width of target embeddings, which are projected to d_model, and the decoder output back before the
    /// output projection, without biases; 0: d_model.
    int targetEmbeddingWidth = 0;
    /// Rows of a table added to the source embeddings by the text that a token belongs to; 0: no table.
    std::int64_t segments = 0;
    std::int64_t decoderSegments = 0; ///< the same of target embeddings, which are all of the first text
    double embeddingScale = 1;        ///< multiplies embeddings before positions are added
    PositionScheme positions = PositionScheme::Table;
    double positionBase = 10000;   ///< for the wavelengths of sinusoids or rotation
    double windowPositionBase = 0; ///< of a rotation without scaling in windowed layers; 0: as in the others
    Rotation rotation;
    int positionBuckets = 32;       ///< for RelativeBuckets, and in each direction for Disentangled
    int positionDistance = 128;     ///< distances from here on share a bucket
    double biasExponent = 8;        ///< for LinearBias: the gentlest slope is 2^-biasExponent
    bool positionsPerLayer = false; ///< for RelativeBuckets: every layer has its own table
    bool relativeBias = false; ///< relative buckets as well, beside positions that are added to embeddings
    std::int64_t maximumPositions = 0; ///< usable rows of the positional table, or longest input; 0: no limit
    std::int64_t firstPosition = 0;    ///< row of the table for the first token
    /// Rows of the decoder's table, if they are not those of the encoder's.
    std::optional<PositionRows> decoderRows;

    double scoreCap = 0;          ///< c in c tanh(score / c), the score that the softmax reads; 0: none
    double logitCap = 0;          ///< the same for logits
    double outputScale = 1;       ///< multiplies the decoder output before the output projection
    double residualScale = 1;     ///< multiplies what each sublayer adds to the residual stream
    bool feedForwardGate = false; ///< out(activation(gate x) * in x) instead of out(activation(in x))
    Biases biases;
    bool tiedSourceTarget = false;     ///< source and target share one embedding
    bool tiedGenerator = false;        ///< the output projection is the embedding of what it predicts
    bool tiedPositions = false;        ///< source and target share one stored positional table
    bool tiedStacks = false;           ///< the decoder has the encoder's weights where both have a module
    bool sharedLayers = false;         ///< all layers of the encoder have the weights of the first
    bool tiedDecoderAttention = false; ///< cross-attention shares the weights of the layer's self-attention

    MaskFill maskFill = MaskFill::NegativeInfinity;
    EncoderMask encoderMask = EncoderMask::Keys;
    bool targetPaddingMasked = true; ///< padding is masked in the target

    /// A decoder alone has no encoder output to attend to.
    bool hasCrossAttention() const { return decoder.layers > 0 && encoder.layers > 0; }
    /// Scores of self-attention have a learned bias by distance.
    bool hasRelativeBias() const { return positions == PositionScheme::RelativeBuckets || relativeBias; }
    /// Whether a number per head and distance is added to scores, learned or not.
    bool hasDistanceBias() const { return hasRelativeBias() || positions == PositionScheme::LinearBias; }
    /// The encoder, or the decoder of a network without one.
    const StackConfig& firstStack() const { return encoder.layers > 0 ? encoder : decoder; }
    /// The stack whose queries an attention has.
    const StackConfig& stackOf(trace::AttentionKind kind) const {
        return kind == trace::AttentionKind::EncoderSelf ? encoder : decoder;
    }
    int widthOf(const StackConfig& stack) const { return stack.width > 0 ? stack.width : modelWidth; }
    /// The encoder's output is projected to the width of the decoder.
    bool hasBridge() const { return hasCrossAttention() && widthOf(encoder) != widthOf(decoder); }
    PositionRows rowsOf(const StackConfig& stack) const {
        return decoderRows && &stack == &decoder ? *decoderRows
                                                 : PositionRows{maximumPositions, firstPosition};
    }
    /// Width of the source embeddings before their projection.
    int sourceWidth() const { return embeddingWidth > 0 ? embeddingWidth : modelWidth; }
    /// Width of the target embeddings before their projection.
    int targetWidth() const { return targetEmbeddingWidth > 0 ? targetEmbeddingWidth : widthOf(decoder); }
    friend bool operator==(const NetworkConfig&, const NetworkConfig&) = default;
};

/// Role of the head: "generator" of a decoder, else "classifier", "masked_tokens", "replaced_tokens",
/// "token_labels" or "answer_span" on the encoder output; empty if there is none. Its layers are ROLE_hidden,
/// ROLE_norm and ROLE.
std::string_view headRole(const NetworkConfig& config);
/// Returns the role that the other stack has for a module of the same kind: "encoder.2.self.query.weight" for
/// "decoder.2.self.query.weight", "source_positions" for "target_positions", and the reverse; empty if it has
/// none.
std::string roleInOtherStack(const std::string& role);

std::string_view name(NormScheme scheme);
std::string_view name(NormKind kind);
std::string_view name(QueryKeyNorm norm);
std::string_view name(Activation activation);
std::string_view name(PositionScheme scheme);
std::string_view name(RotationScaling scaling);
std::string_view name(MaskFill fill);
std::string_view name(EncoderMask mask);
std::string_view name(ClassifierInput input);

} // namespace headscope::network
