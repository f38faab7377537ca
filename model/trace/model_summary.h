#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/decoding.h"
#include "model/trace/matrix.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::trace {

struct Request;

struct SpecialTokens {
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> end;
    std::optional<std::int64_t> padding;
    std::optional<std::int64_t> unknown;
    std::vector<std::int64_t> sourcePrefix; ///< what the tokenizer adds before the source's pieces
    std::vector<std::int64_t> sourceSuffix; ///< and after them
    friend bool operator==(const SpecialTokens&, const SpecialTokens&) = default;
};

/// How a model knows where a token stands.
enum class PositionKind {
    None,
    Added,        ///< vectors added to the embeddings
    DistanceBias, ///< a learned number by head and distance, added to the scores of self-attention
    Rotation,     ///< queries and keys of self-attention are turned by their place
};

/// What one stack of PositionKind::DistanceBias adds to its scores, in all of its layers.
struct DistanceBias {
    int first = 0;            ///< the lowest distance, key's place - query's place
    std::vector<int> buckets; ///< [distances] distances of one bucket share their numbers
    Matrix values;            ///< [heads, distances]
};

/// What there is to know of an open model without running it. Fixed once it is open.
struct ModelSummary {
    std::string name;        ///< of the folder or file, for titles
    std::string path;        ///< where it was read from
    std::string family;      ///< key of the family table, such as "annotated-transformer"
    std::string familyTitle; ///< in words
    std::string familyTable; ///< file of a person's own table; empty: a bundled one
    /// Files of the model's folder that are symbolic links, as (name, where it leads).
    std::vector<std::pair<std::string, std::string>> links;

    int encoderLayers = 0;
    int decoderLayers = 0; ///< 0: encoder only
    int encoderHeads = 0;
    int decoderHeads = 0;
    int modelWidth = 0;                ///< d_model
    int feedForwardWidth = 0;          ///< d_ff
    int headWidth = 0;                 ///< d_k
    std::int64_t sourceVocabulary = 0; ///< 0: no embedding, runs on vectors alone
    std::int64_t targetVocabulary = 0;
    std::int64_t classes = 0;             ///< of a classifier; 0: none
    std::vector<std::string> classLabels; ///< [classes]; empty where the folder does not say them
    std::int64_t maximumPositions = 0;    ///< longest input the positions allow; 0: unlimited

    std::int64_t parameters = 0; ///< distinct numbers; tied tensors count once
    /// The same numbers by block, such as "encoder.0.self" or "generator", in the order of the model.
    std::vector<std::pair<std::string, std::int64_t>> blocks;
    std::int64_t bytes = 0; ///< memory of the open parameters and buffers
    /// Flags of the architecture as (key, value), in reading order.
    std::vector<std::pair<std::string, std::string>> architecture;

    std::string tokenizer; ///< in words; empty where the model takes ids only
    SpecialTokens special;
    std::string sourceLanguage; ///< such as "en"; empty if not said
    std::string targetLanguage;
    /// Codes such as "fra" that a source sentence may begin with as ">>fra<<"; empty for one target language.
    std::vector<std::string> targetLanguages;
    double labelSmoothing = 0;
    Decoding decoding;            ///< how its folder wants it decoded, where it says so
    int newTokens = 60;           ///< and how far
    std::string unusedGeneration; ///< what the folder says of decoding that is not followed; for people
    std::string attribution;      ///< of the data it was trained on, as the folder says it
    /// Sentences in its own words, where it does not read English ones; means over some are taken of them.
    std::vector<std::string> samples;

    std::optional<HeadAddress> opensAt; ///< the head to begin with, where its folder says so
    bool opensWithoutMask = false;      ///< and with LiftMask, as it was trained

    std::vector<std::string> ignoredTensors; ///< in the file, not used
    std::vector<std::string> ignoredKeys;    ///< in a random model's configuration, not understood

    /// What the model adds to embeddings, [positions, d_model]; null where it adds none.
    std::shared_ptr<const Matrix> sourcePositions;
    std::shared_ptr<const Matrix> targetPositions;

    PositionKind positionKind = PositionKind::Added;
    std::shared_ptr<const DistanceBias> encoderBias; ///< null where there is none
    std::shared_ptr<const DistanceBias> decoderBias;
    /// The one request that was run, where this is a trace without its model; null for a model.
    std::shared_ptr<const Request> recorded;
    /// Of a trace, those of the runs that it holds beside that one: without its changes, or of its random
    /// twin.
    std::vector<std::shared_ptr<const Request>> recordedBeside;
    std::vector<double> rotation; ///< [d_k / 2] radians a place by which each pair is turned; empty: none

    int layers(AttentionKind kind) const {
        return kind == AttentionKind::EncoderSelf ? encoderLayers : decoderLayers;
    }
    int heads(AttentionKind kind) const {
        return kind == AttentionKind::EncoderSelf ? encoderHeads : decoderHeads;
    }
};

} // namespace headscope::trace
