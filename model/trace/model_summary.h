#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/decoding.h"
#include "model/trace/matrix.h"
#include "model/trace/token_prediction.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::trace {

struct Request;

struct SpecialTokens {
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> end;
    std::vector<std::int64_t> furtherEnds; ///< other ids that end a target
    std::optional<std::int64_t> padding;
    std::optional<std::int64_t> unknown;
    std::optional<std::int64_t> mask;       ///< stands for a token to be predicted
    std::vector<std::int64_t> sourcePrefix; ///< added before the tokens of the source
    std::vector<std::int64_t> sourceSuffix; ///< added after them

    bool isEnd(std::int64_t id) const {
        return id == end || std::find(furtherEnds.begin(), furtherEnds.end(), id) != furtherEnds.end();
    }
    friend bool operator==(const SpecialTokens&, const SpecialTokens&) = default;
};

/// How a model represents token positions.
enum class PositionKind {
    None,
    Added,        ///< vectors added to the embeddings
    DistanceBias, ///< a learned value per head and distance is added to the scores of self-attention
    Rotation,     ///< queries and keys of self-attention are rotated by their position
    Disentangled, ///< learned vectors of distances have queries and keys, which scores add to those of tokens
};

/// Bias that a stack with PositionKind::DistanceBias adds to its scores.
struct DistanceBias {
    int first = 0;            ///< lowest distance, key position - query position
    std::vector<int> buckets; ///< [distances] distances in the same bucket share their values
    std::size_t layers = 1;   ///< number of tables: one for all layers, or one per layer
    Matrix values;            ///< [heads, distances] of each table, one after the other

    std::size_t heads() const { return values.rows() / layers; }
    /// Row of `values` that a head adds.
    std::size_t row(const HeadAddress& head) const {
        return std::min<std::size_t>(head.site.layer, layers - 1) * heads() + head.head;
    }
};

/// Properties of an open model that are known without running it. Immutable.
struct ModelSummary {
    std::string name; ///< name of the folder or file, for titles
    std::string path;
    std::string family;      ///< key in the table of model families, such as "annotated-transformer"
    std::string familyTitle; ///< for display
    std::string familyTable; ///< path of the user's own family table; empty for a bundled one
    /// Symbolic links in the model's folder, as (name, target).
    std::vector<std::pair<std::string, std::string>> links;

    int encoderLayers = 0;       ///< 0: decoder only
    int decoderLayers = 0;       ///< 0: encoder only
    bool attendsToSource = true; ///< the decoder has cross-attention; false for a decoder alone
    int encoderHeads = 0;
    int decoderHeads = 0;
    int modelWidth = 0;       ///< d_model
    int feedForwardWidth = 0; ///< d_ff
    int headWidth = 0;        ///< d_k
    /// Widths of a decoder where they differ from the encoder's; 0: they are equal.
    int decoderFeedForwardWidth = 0;
    int decoderHeadWidth = 0;
    /// Size of the vocabulary of what is read: the source, or the prompt of a decoder alone. 0: the model has
    /// no embedding and runs on vectors only.
    std::int64_t sourceVocabulary = 0;
    std::int64_t targetVocabulary = 0;
    std::int64_t classes = 0;        ///< 0: not a classifier of texts
    bool areClassesSeparate = false; ///< each class has a probability of its own; else they sum to 1
    std::int64_t numbers = 0;        ///< that are predicted of a text; 0: none
    TokenPrediction tokenPrediction = TokenPrediction::None; ///< of an encoder alone
    std::int64_t tokenLabels = 0;                            ///< that a token may have; 0: none
    std::string otherHead;     ///< class of a model that was opened without its head, which is not supported
    std::int64_t segments = 0; ///< texts that the model tells apart by an embedding; 0: it does not
    bool readsPairs = false;   ///< an encoder alone whose tokenizer joins two texts
    /// [classes, tokenLabels or numbers]; empty if the folder does not name them.
    std::vector<std::string> classLabels;
    std::int64_t maximumPositions = 0; ///< longest input that the positions allow; 0: unlimited
    std::int64_t statedPositions = 0;  ///< longest input of unlimited positions by the model's files; 0: none

    std::int64_t parameters = 0; ///< number of distinct parameters; tied tensors count once
    /// Parameters per block, such as "encoder.0.self" or "generator", in model order.
    std::vector<std::pair<std::string, std::int64_t>> blocks;
    std::int64_t bytes = 0; ///< memory of parameters and buffers
    /// Memory of a run that keeps every map, and of how many tokens on each side.
    std::int64_t mapBytes = 0;
    std::int64_t mapTokens = 0; ///< 0: not recorded
    /// Properties of the architecture as (key, value), in display order.
    std::vector<std::pair<std::string, std::string>> architecture;

    std::string tokenizer; ///< description; empty if the model takes ids only
    SpecialTokens special;
    std::string maskPiece;      ///< spelling of the mask token; empty: there is none
    std::string sourceLanguage; ///< such as "en"; empty if unknown
    std::string targetLanguage;
    /// Codes such as "fra" that may precede a source sentence as ">>fra<<"; empty for a single target
    /// language.
    std::vector<std::string> targetLanguages;
    /// Codes that the settings source_language and target_language may have; empty if the model has no tokens
    /// for languages.
    std::vector<std::string> languages;
    double labelSmoothing = 0;
    bool saysDecoding = true;       ///< false: a recording that does not say how its tokens were chosen
    Decoding decoding;              ///< defaults from the model's folder, if it has any
    int newTokens = 60;             ///< default limit of decoded tokens
    std::vector<std::string> notes; ///< on what of the folder's files was left out, in sentences
    std::string unusedGeneration;   ///< unsupported decoding settings of the folder, for display
    std::string attribution;        ///< attribution of the training data, as given in the folder
    /// Sample sentences for models that do not read English; head means (ReplaceHead) are taken over them.
    std::vector<std::string> samples;

    std::optional<HeadAddress> opensAt; ///< head selected at first, if the folder names one
    bool opensWithoutMask = false;      ///< LiftMask is on at first, because the model was trained that way

    std::vector<std::string> ignoredTensors; ///< tensors in the file that are not used
    std::vector<std::string> ignoredKeys;    ///< unknown keys in the configuration of a random model

    /// Positional vectors added to embeddings, [positions, d_model]; null if none are added.
    std::shared_ptr<const Matrix> sourcePositions;
    std::shared_ptr<const Matrix> targetPositions;

    PositionKind positionKind = PositionKind::Added;
    std::shared_ptr<const DistanceBias> encoderBias; ///< null if there is none
    std::shared_ptr<const DistanceBias> decoderBias;
    /// For a trace without its model: the recorded request. Null for a model.
    std::shared_ptr<const Request> recorded;
    /// For a trace: the requests of its further runs, either without the changes of `recorded` or of its
    /// random twin.
    std::vector<std::shared_ptr<const Request>> recordedBeside;
    std::vector<double> rotation; ///< [d_k / 2] rotation of each pair, radians per position; empty: none

    /// The rotation turns dimensions 2m and 2m + 1 as a pair, instead of m and m + pairs.
    bool rotatesInterleaved() const {
        return std::ranges::find(architecture, std::pair<std::string, std::string>(
                                                   "rotary_pairs", "interleaved")) != architecture.end();
    }
    bool isDecoderAlone() const { return decoderLayers > 0 && !attendsToSource; }
    /// It computes nothing from the text but the output of its layers.
    bool hasNoHead() const {
        return decoderLayers == 0 && classes == 0 && numbers == 0 && tokenPrediction == TokenPrediction::None;
    }
    /// It predicts tokens of its text, or their labels, one by one.
    bool answersAtTokens() const {
        return tokenPrediction == TokenPrediction::Masked || tokenPrediction == TokenPrediction::Labels;
    }
    /// What it says of a text can be explained: tokens, classes, labels, an answer or numbers.
    bool hasAnswers() const {
        return decoderLayers > 0 || classes > 0 || numbers > 0 || answersAtTokens() ||
               tokenPrediction == TokenPrediction::Span;
    }
    /// An encoder alone with several answers, as Run::steps().
    bool hasEncoderSteps() const {
        return answersAtTokens() || tokenPrediction == TokenPrediction::Span || numbers > 1;
    }
    int layers(AttentionKind kind) const {
        return kind == AttentionKind::EncoderSelf                 ? encoderLayers
               : kind == AttentionKind::Cross && isDecoderAlone() ? 0
                                                                  : decoderLayers;
    }
    /// d_k of the heads of a site.
    int headWidthOf(AttentionKind kind) const {
        return kind != AttentionKind::EncoderSelf && decoderHeadWidth > 0 ? decoderHeadWidth : headWidth;
    }
    int heads(AttentionKind kind) const {
        return kind == AttentionKind::EncoderSelf ? encoderHeads : decoderHeads;
    }
    /// Number of neighbouring heads that read the same keys and values (Ainslie et al. 2023); 1: none share.
    int headsPerKey(AttentionKind kind) const;
    /// Returns a property of the architecture; empty if it is not stated.
    std::string property(std::string_view key) const;
};

} // namespace headscope::trace
