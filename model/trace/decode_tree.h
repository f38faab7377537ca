#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/token.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::trace {

/// One of the best next tokens at some point.
struct Candidate {
    Token token;
    float logProbability = 0;
};

/// What the decoder's layers computed along a whole path, one record a layer each.
struct PathRecords {
    std::vector<AttentionRecord> self;  ///< [T, T]
    std::vector<AttentionRecord> cross; ///< [T, S]
};

/// Everything the step that was fed one token computed: row t of every map, and what it would say next.
/// A causal row never depends on what comes later, so it is computed once and shared.
struct DecodeRow {
    /// One a layer, with one query row: mask [1, t+1], scores and weights [heads, 1, t+1]; q, k, v and
    /// outputs [heads, 1, width] are this token's own.
    std::vector<AttentionRecord> self;
    /// One a layer, with one query row over the source: mask [1, S]; q and outputs are this token's own.
    std::vector<AttentionRecord> cross;
    /// One a layer, [heads, t, 1]: how earlier queries would score this token's key. Closed cells of the map
    /// above the diagonal, which the mask hides from the softmax. Empty where the mask was lifted: the rows
    /// are whole then, [heads, 1, T].
    std::vector<HeadStack> scoresOfEarlierQueries;
    /// Instead of the three above where maps are left out: the records of the whole path, which are kept once
    /// and shared by its rows. Null where a row has its own.
    std::shared_ptr<const PathRecords> together;
    std::size_t place = 0;               ///< of this row in them
    std::vector<Candidate> candidates;   ///< the most probable next tokens, best first
    std::vector<float> logProbabilities; ///< [vocabulary], if the request asked for it
    Matrix residual;                     ///< [1 + sublayers, d_model], if the request asked for it
    std::vector<float> position;         ///< [d_model], the positional vector added to this token
};

/// What became of a hypothesis of beam search.
enum class Fate {
    Extended,    ///< it lived on, and all that could follow it was looked at
    Finished,    ///< it ended
    Pruned,      ///< too many others were more probable
    EndedTooLow, ///< it ended, but not among the best K, which the folder's rule asks for
    Displaced,   ///< it finished, and K better ones finished later
    Unfinished,  ///< it lived when the search ended
};

/// A token as beam search saw it.
struct SearchRecord {
    int step = 0;          ///< of the search, from 0
    int rank = 0;          ///< among all continuations of the step, from 0
    double score = 0;      ///< summed log-probability since the search began, as its rules leave it
    double finalScore = 0; ///< score / n^A for n tokens, which is what finished hypotheses are ranked by
    Fate fate = Fate::Pruned;
    friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

/// One decoded token. The root is the start token.
struct DecodeNode {
    std::optional<std::size_t> parent; ///< nothing for the root
    Token token;
    double logProbability = 0;            ///< of this token given its prefix; 0 for the root
    std::int64_t rank = 0;                ///< tokens that were more probable there; below 0: not known
    std::shared_ptr<const DecodeRow> row; ///< what feeding this token computed; null where it was not fed
    std::optional<SearchRecord> search;   ///< where beam search met it; of the last path that was searched
};

/// Decoded tokens that share prefixes. Greedy decoding is one path; choosing another token makes a new child.
class DecodeTree {
  public:
    using NodeId = std::size_t;

    const std::vector<DecodeNode>& nodes() const { return nodes_; }
    const DecodeNode& node(NodeId id) const { return nodes_.at(id); }
    bool empty() const { return nodes_.empty(); }

    /// The first node added is the root and has no parent; every later one names an existing parent.
    NodeId add(DecodeNode node);
    void setRow(NodeId id, std::shared_ptr<const DecodeRow> row) { nodes_.at(id).row = std::move(row); }
    void setLogProbability(NodeId id, double value, std::int64_t rank) {
        nodes_.at(id).logProbability = value;
        nodes_.at(id).rank = rank;
    }
    void setSearch(NodeId id, const SearchRecord& search) { nodes_.at(id).search = search; }
    /// Another path is searched.
    void clearSearches();

    /// The child of `parent` that carries `tokenId`, if there is one.
    std::optional<NodeId> child(NodeId parent, std::int64_t tokenId) const;
    std::vector<NodeId> children(NodeId parent) const;
    /// Root first, `leaf` last.
    std::vector<NodeId> path(NodeId leaf) const;
    /// Summed log-probability of the tokens from the root to `leaf`.
    double logProbability(NodeId leaf) const;

  private:
    std::vector<DecodeNode> nodes_;
};

/// The rows of the fed tokens of `path`, stacked to one record a layer: decoder-self maps are [T, T], cross
/// maps [T, S]. The result equals a full pass over the same tokens.
std::vector<AttentionRecord> stackSelfRows(const DecodeTree& tree,
                                           const std::vector<DecodeTree::NodeId>& path);
std::vector<AttentionRecord> stackCrossRows(const DecodeTree& tree,
                                            const std::vector<DecodeTree::NodeId>& path);

} // namespace headscope::trace
