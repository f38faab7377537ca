#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <cstddef>
#include <optional>

namespace headscope::trace {

/// Quantities other than weights and scores that can be shown on the axes of a map.
enum class MapQuantity {
    /// ||a_ij f(x_j)||: norm of the head's contribution to the residual stream of row i through key j; f is
    /// its value and output projection (Kobayashi et al. 2020). Rows do not sum to 1.
    NormWeighted,
    /// Attention rollout: attention multiplied through all sublayers so far, with half the weight for each
    /// residual connection (Abnar and Zuidema 2020; the same rule across decoder and encoder). Rows sum to 1.
    /// One map for all heads.
    Rollout,
    /// How much nearer each token brings the stream to its new value, multiplied through all sublayers so far
    /// (ALTI+, Ferrando et al. 2022). Rows sum to 1, or are NaN if only biases contribute. One map for all
    /// heads.
    Contribution,
    /// a_ij dF/da_ij, where F is the logit of one step's token; signed.
    GradientAttention,
};

/// One quantity at one attention site.
struct QuantityMaps {
    Request request;
    MapQuantity quantity = MapQuantity::NormWeighted;
    AttentionSite site;
    HeadStack values; ///< [heads, rows, columns]; a single map unless isPerHead()
    MaskMatrix mask;  ///< [rows, columns], 1 = allowed
    /// Number of leading columns that are source tokens; the remaining ones are decoder inputs.
    std::size_t sourceColumns = 0;
    std::size_t step = 0;          ///< gradient only: step of the token, or index of the class
    std::optional<Token> token;    ///< gradient only: token whose logit is used, or the class as its id
    std::optional<Token> contrast; ///< gradient only: token whose logit is subtracted
};

/// Returns true if each head has its own map.
bool isPerHead(MapQuantity quantity);

} // namespace headscope::trace
