#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <cstddef>
#include <optional>

namespace headscope::trace {

/// What can be drawn on the axes of a map beside its weights and scores.
enum class MapQuantity {
    /// ||a_ij f(x_j)||: the length of what a head adds to the residual stream of row i for key j, with f its
    /// value and output projections (Kobayashi et al. 2020). Rows do not sum to 1.
    NormWeighted,
    /// Attention multiplied through all sublayers so far, the residual connection as half of each (Abnar and
    /// Zuidema 2020; across decoder and encoder by the same rule). Rows sum to 1; no head has its own.
    Rollout,
    /// How much nearer each token brings the stream to what it became, multiplied through all sublayers so
    /// far (ALTI+, Ferrando et al. 2022). Rows sum to 1 or, where biases alone decide, are not a number; no
    /// head has its own.
    Contribution,
    /// a_ij dF/da_ij of the logit F of one step's token; signed.
    GradientAttention,
};

/// One quantity at one attention site.
struct QuantityMaps {
    Request request;
    MapQuantity quantity = MapQuantity::NormWeighted;
    AttentionSite site;
    HeadStack values; ///< [heads, rows, columns]; one map where heads have none of their own
    MaskMatrix mask;  ///< [rows, columns], 1 = open
    /// So many first columns stand for source tokens, the others for what the decoder was fed.
    std::size_t sourceColumns = 0;
    std::size_t step = 0;          ///< of a gradient: whose logit, or of which class
    std::optional<Token> token;    ///< of a gradient: the token whose logit it is, or the class as its id
    std::optional<Token> contrast; ///< of a gradient: the logit is held against this one's
};

/// Whether every head has a map of its own.
bool isPerHead(MapQuantity quantity);

} // namespace headscope::trace
