#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/recompute_recipe.h"

#include <memory>

namespace headscope::trace {

/// What one attention sublayer computed, as the network reported it. `queries` and `keys` count tokens; a
/// step of the decoder has one query row.
struct AttentionRecord {
    AttentionSite site;
    MaskMatrix mask;   ///< [queries, keys] as the model applied it, 1 = may attend
    HeadStack scores;  ///< [heads, queries, keys] scaled, before the mask
    HeadStack weights; ///< [heads, queries, keys] after mask and softmax

    // The projections, [heads, rows, width], as the scores use them; empty unless the request asked for them.
    HeadStack q;       ///< one row a query
    HeadStack k;       ///< one row a key
    HeadStack v;       ///< one row a key
    HeadStack outputs; ///< one row a query: weights x v, before the output projection

    /// Of a map too long to be kept: how it follows from q and k, which are there, in place of mask, scores
    /// and weights, which are not. Null where they are. A cross-attention row of a step has no k of its own.
    std::shared_ptr<const RecomputeRecipe> rule;

    bool isRecomputed() const { return rule != nullptr; }
    std::size_t heads() const { return rule ? q.heads() : weights.heads(); }
    std::size_t queries() const { return rule ? rule->open->rows() : mask.rows(); }
    std::size_t keys() const { return rule ? rule->open->columns() : mask.columns(); }
    bool isOpen(std::size_t query, std::size_t key) const {
        return rule ? rule->open->isOpen(query, key) : mask(query, key) != 0;
    }
    /// [keys], 1 = may attend
    std::vector<std::uint8_t> openKeys(std::size_t query) const;
};

/// The part of `record` that belongs to one query: its rows of mask, scores, weights, q and outputs, and the
/// row of k and v with the same number where there is one.
AttentionRecord rowOf(const AttentionRecord& record, std::size_t query);

} // namespace headscope::trace
