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

/// Exactly what the encoder is fed; nothing is added.
struct SourceIds {
    std::vector<std::int64_t> ids;
    friend bool operator==(const SourceIds&, const SourceIds&) = default;
};

/// Fed to the first encoder layer as they are, positions already inside. Shape [S, d_model].
struct SourceEmbeddings {
    Matrix values;
    friend bool operator==(const SourceEmbeddings&, const SourceEmbeddings&) = default;
};

/// A sentence (UTF-8; the tokenizer makes its ids), or what stands for one.
using Source = std::variant<std::string, SourceIds, SourceEmbeddings>;

/// Exactly what the decoder is fed, its start token first.
struct TargetIds {
    std::vector<std::int64_t> ids;
    friend bool operator==(const TargetIds&, const TargetIds&) = default;
};

/// Only the start token; or the start token and the pieces of a text; or these ids.
using TargetPrefix = std::variant<std::monostate, std::string, TargetIds>;

/// One path of the decode tree: what the decoder is forced to read, and how far it goes on by itself.
struct DecodePath {
    TargetPrefix forced;
    /// Tokens decoded after the forced ones, fewer if the end token comes. 0: every forced token is fed and
    /// nothing is decoded. Above 0, a forced end token at the end is not fed: the path is complete.
    int newTokens = 60;
    /// More tokens will be asked for later: where a model must end at the maximum length, it need not yet,
    /// and where there is a beam, which wants to look ahead, the most probable token is taken.
    bool mayContinue = false;
    /// The last forced token is the last of the path, chosen and not fed, as the end token always is: what
    /// another model decoded, cut off or not, is read row by row as that one did. For newTokens above 0.
    bool ends = false;
    friend bool operator==(const DecodePath&, const DecodePath&) = default;
};

/// Pad tokens appended, so that the masks are those a batch would have.
struct Padding {
    int source = 0;
    int target = 0;
    friend bool operator==(const Padding&, const Padding&) = default;
};

/// What is kept beyond weights, scores, masks and candidates.
struct Recording {
    bool projections = false;      ///< q, k, v and the heads' outputs
    bool residual = false;         ///< the residual stream after the embedding and after each sublayer
    bool encoderOutput = false;    ///< what cross-attention reads
    bool logProbabilities = false; ///< of the whole vocabulary at every step
    /// Queries or keys up to which maps are kept; of longer ones, q and k are (AttentionRecord::rule).
    std::int64_t longestMap = longestStoredMap;
    friend bool operator==(const Recording&, const Recording&) = default;
};

/// The command line's name of Request::ratherThan, which refusals of it say they are about.
inline constexpr const char* contrastOption = "--rather-than";

/// A pure description of what is computed: the same requests in the same order give the same bits.
struct Request {
    Source source;
    Padding padding;
    /// At least one; they share the source and their common prefixes. The last is the one that is shown.
    std::vector<DecodePath> paths{DecodePath{}};
    Decoding decoding;
    std::vector<Intervention> interventions; ///< what is changed in the model for this run
    /// The same network with random weights of this seed, tokenizer and all else kept: what is architecture,
    /// what is learned?
    std::optional<std::uint64_t> randomTwin;
    Recording recording;
    /// Importance, lens and gradients are of this token against another one: a piece, a word of one piece, or
    /// #ID.
    std::optional<std::string> ratherThan;
    int candidates = 10; ///< how many next tokens each step keeps
    friend bool operator==(const Request&, const Request&) = default;
};

} // namespace headscope::trace
