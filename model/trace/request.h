#pragma once

#include "model/trace/decoding.h"
#include "model/trace/intervention.h"
#include "model/trace/matrix.h"
#include "model/trace/recompute_recipe.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headscope::trace {

/// Exact input of the encoder; nothing is added.
struct SourceIds {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> segments; ///< one per id, for models with segment embeddings; empty: all 0
    friend bool operator==(const SourceIds&, const SourceIds&) = default;
};

/// Input of the first encoder layer, positions already included. Shape [S, d_model].
struct SourceEmbeddings {
    Matrix values;
    friend bool operator==(const SourceEmbeddings&, const SourceEmbeddings&) = default;
};

/// A sentence (UTF-8, converted to ids by the tokenizer), ids or embeddings.
using Source = std::variant<std::string, SourceIds, SourceEmbeddings>;

/// Exact input of the decoder, start token first.
struct TargetIds {
    std::vector<std::int64_t> ids;
    friend bool operator==(const TargetIds&, const TargetIds&) = default;
};

/// The start token only, the start token and the tokens of a text, or these ids.
using TargetPrefix = std::variant<std::monostate, std::string, TargetIds>;

/// One path of the decode tree: the forced tokens and how many to decode after them.
struct DecodePath {
    TargetPrefix forced;
    /// Maximum number of tokens decoded after the forced ones; decoding stops earlier at the end token. 0:
    /// every forced token is fed and nothing is decoded. Above 0, a forced end token at the end is not fed,
    /// because the path is complete.
    int newTokens = 60;
    /// More tokens will be requested later. No end token is forced at the maximum length, and instead of a
    /// beam search, which looks ahead, the most probable token is taken.
    bool mayContinue = false;
    /// The last forced token ends the path: it counts as chosen and is not fed, like an end token. Used to
    /// read the output of another model, cut off or not, row by row as that model did. Requires newTokens
    /// above 0.
    bool ends = false;
    friend bool operator==(const DecodePath&, const DecodePath&) = default;
};

/// Number of padding tokens appended, to get the same masks as in a batch.
struct Padding {
    int source = 0;
    int target = 0;
    friend bool operator==(const Padding&, const Padding&) = default;
};

/// What to record in addition to weights, scores, masks and candidates.
struct Recording {
    bool projections = false;      ///< q, k, v and head outputs
    bool residual = false;         ///< residual stream after the embedding and after each sublayer
    bool encoderOutput = false;    ///< input of cross-attention
    bool logProbabilities = false; ///< whole vocabulary at every step
    /// Maps with more queries or keys than this are not stored; q and k are (AttentionRecord::rule).
    std::int64_t longestMap = longestStoredMap;
    friend bool operator==(const Recording&, const Recording&) = default;
};

/// Command line option for Request::ratherThan, named in refusals about it.
inline constexpr const char* contrastOption = "--rather-than";

/// Describes a computation as a value. The same requests in the same order give bit-identical results.
struct Request {
    Source source;
    std::optional<std::string> second; ///< second text of a pair; requires a text as source
    Padding padding;
    /// At least one. All share the source and their common prefixes. The last one is shown.
    std::vector<DecodePath> paths{DecodePath{}};
    Decoding decoding;
    std::vector<Intervention> interventions; ///< changes to the model for this run
    /// Seed of random weights for the same network; tokenizer and everything else are kept. Separates what is
    /// architecture from what is learned.
    std::optional<std::uint64_t> randomTwin;
    Recording recording;
    /// Compare each chosen token with this one: a token, a word of one token, or #ID; of a classifier a class
    /// or #NUMBER.
    std::optional<std::string> ratherThan;
    int candidates = 10; ///< number of next tokens stored per step, or of tokens per masked one
    friend bool operator==(const Request&, const Request&) = default;
};

} // namespace headscope::trace
