#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"

namespace headscope::trace {

/// What one attention sublayer computed, as the network reported it. `queries` and `keys` count tokens; a
/// step of the decoder has one query row.
struct AttentionRecord {
    AttentionSite site;
    MaskMatrix mask;   ///< [queries, keys] as the model applied it, 1 = may attend
    HeadStack scores;  ///< [heads, queries, keys] scaled, before the mask
    HeadStack weights; ///< [heads, queries, keys] after mask and softmax

    // The projections, [heads, rows, width]; empty unless the request asked for them.
    HeadStack q;       ///< one row a query
    HeadStack k;       ///< one row a key
    HeadStack v;       ///< one row a key
    HeadStack outputs; ///< one row a query: weights x v, before the output projection
};

/// The part of `record` that belongs to one query: its rows of mask, scores, weights, q and outputs, and the
/// row of k and v with the same number where there is one.
AttentionRecord rowOf(const AttentionRecord& record, std::size_t query);

} // namespace headscope::trace
