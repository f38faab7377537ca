#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/token.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::trace {

struct Candidate {
    Token token;
    float logProbability = 0;
};

/// Attention records of a whole decoder path, one per layer.
struct PathRecords {
    std::vector<AttentionRecord> self;  ///< [T, T]
    std::vector<AttentionRecord> cross; ///< [T, S]
};

/// Everything one decoder step computed: row t of every map and the distribution of the next token. Causal
/// rows do not depend on later tokens, so each is computed once and shared between paths.
struct DecodeRow {
    /// One per layer, with one query row: mask [1, t+1], scores and weights [heads, 1, t+1]; q, k, v and
    /// outputs [heads, 1, width] of this token.
    std::vector<AttentionRecord> self;
    /// One per layer, with one query row over the source: mask [1, S]; q and outputs of this token.
    std::vector<AttentionRecord> cross;
    /// One per layer, [heads, t, 1]: scores of earlier queries for this token's key. These are the cells
    /// above the diagonal, which the mask hides from the softmax. Empty if the causal mask is lifted, because
    /// the rows themselves are complete then, [heads, 1, T].
    std::vector<HeadStack> scoresOfEarlierQueries;
    /// Replaces the three members above if maps are not stored: the records of the whole path, shared by its
    /// rows. Null if the row has its own.
    std::shared_ptr<const PathRecords> together;
    std::size_t place = 0;               ///< index of this row in `together`
    std::vector<Candidate> candidates;   ///< the most probable next tokens, best first
    std::vector<float> logProbabilities; ///< [vocabulary], if requested
    Matrix residual;                     ///< [1 + sublayers, d_model], if requested
    std::vector<float> position;         ///< [d_model], positional vector added to this token
};

/// Outcome of a beam search hypothesis.
enum class Fate {
    Extended, ///< expanded: all of its continuations were scored
    Finished,
    Pruned,      ///< dropped: too many others were more probable
    EndedTooLow, ///< ended below rank K, which the model's BeamRule does not accept
    Displaced,   ///< finished, but overtaken by K better hypotheses that finished later
    Unfinished,  ///< still alive when the search ended
};

/// Beam search data of one token.
struct SearchRecord {
    int step = 0;          ///< search step, from 0
    int rank = 0;          ///< among all continuations of the step, from 0
    double score = 0;      ///< log-probability summed since the search began, after TokenRules
    double finalScore = 0; ///< score / n^A for n tokens, the ranking criterion of finished hypotheses
    Fate fate = Fate::Pruned;
    friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

/// One decoded token. The root is the start token.
struct DecodeNode {
    std::optional<std::size_t> parent; ///< nullopt for the root
    Token token;
    double logProbability = 0;            ///< of this token given its prefix; 0 for the root
    std::int64_t rank = 0;                ///< number of more probable tokens; negative if unknown
    std::shared_ptr<const DecodeRow> row; ///< computed by feeding this token; null if it was not fed
    std::optional<SearchRecord> search;   ///< set if the most recent beam search visited the token
};

/// Decoded tokens with shared prefixes. Greedy decoding is a single path; continuing with another token adds
/// a child.
class DecodeTree {
  public:
    using NodeId = std::size_t;

    const std::vector<DecodeNode>& nodes() const { return nodes_; }
    const DecodeNode& node(NodeId id) const { return nodes_.at(id); }
    bool empty() const { return nodes_.empty(); }

    /// The first node added is the root and has no parent; every later one must name an existing parent.
    NodeId add(DecodeNode node);
    void setRow(NodeId id, std::shared_ptr<const DecodeRow> row) { nodes_.at(id).row = std::move(row); }
    void setLogProbability(NodeId id, double value, std::int64_t rank) {
        nodes_.at(id).logProbability = value;
        nodes_.at(id).rank = rank;
    }
    void setSearch(NodeId id, const SearchRecord& search) { nodes_.at(id).search = search; }
    /// Removes the search records of all nodes, before another path is searched.
    void clearSearches();

    /// Returns the child of `parent` with token `tokenId`, or nullopt.
    std::optional<NodeId> child(NodeId parent, std::int64_t tokenId) const;
    std::vector<NodeId> children(NodeId parent) const;
    /// Returns the nodes from the root to `leaf`.
    std::vector<NodeId> path(NodeId leaf) const;
    /// Summed log-probability of the tokens from the root to `leaf`.
    double logProbability(NodeId leaf) const;

  private:
    std::vector<DecodeNode> nodes_;
};

/// Stacks the rows of the fed tokens of `path` into one record per layer: decoder self-attention maps are
/// [T, T], cross-attention maps [T, S]. The result equals a full pass over the same tokens.
std::vector<AttentionRecord> stackSelfRows(const DecodeTree& tree,
                                           const std::vector<DecodeTree::NodeId>& path);
std::vector<AttentionRecord> stackCrossRows(const DecodeTree& tree,
                                            const std::vector<DecodeTree::NodeId>& path);

} // namespace headscope::trace
