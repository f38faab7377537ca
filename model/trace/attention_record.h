#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/recompute_recipe.h"

#include <cstddef>
#include <limits>
#include <memory>

namespace headscope::trace {

/// Values computed by one attention sublayer, as reported by the network. `queries` and `keys` are token
/// counts; one decoder step has a single query row.
struct AttentionRecord {
    AttentionSite site;
    MaskMatrix mask;   ///< [queries, keys] as the model applied it, 1 = may attend
    HeadStack scores;  ///< [heads, queries, keys] scaled, before the mask
    HeadStack weights; ///< [heads, queries, keys] after mask and softmax

    // Projections in the form used to compute the scores, [heads, rows, width] with one row per query (q,
    // outputs) or key (k, v); empty unless requested.
    HeadStack q;
    HeadStack k;
    HeadStack v;
    HeadStack outputs; ///< weights x v, before the output projection

    /// Set if the map is too long to be stored: how to recompute mask, scores and weights, which are empty
    /// then, from q and k. Null if they are stored. A cross-attention record of a single step has no k of its
    /// own.
    std::shared_ptr<const RecomputeRecipe> rule;

    bool isRecomputed() const { return rule != nullptr; }
    std::size_t heads() const { return rule ? q.heads() : weights.heads(); }
    std::size_t queries() const { return rule ? rule->open->rows() : mask.rows(); }
    std::size_t keys() const { return rule ? rule->open->columns() : mask.columns(); }
    bool isOpen(std::size_t query, std::size_t key) const {
        return rule ? rule->open->isOpen(query, key) : mask(query, key) != 0;
    }
    /// [keys], 1 = may attend
    std::vector<std::uint8_t> allowedKeys(std::size_t query) const;
};

/// Returns the part of `record` for one query: its rows of mask, scores, weights, q and outputs, and row
/// `query` of k and v if there is one. Of a stored map, only the first `keys` columns.
AttentionRecord rowOf(const AttentionRecord& record, std::size_t query,
                      std::size_t keys = std::numeric_limits<std::size_t>::max());

} // namespace headscope::trace
