#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <optional>
#include <vector>

namespace headscope::trace {

/// Component of a query or key of a first layer: projected word vector, projected positional vector, or the
/// biases alone. Content: the whole vector, if positions are not part of the stream.
enum class ScorePart { Word, Position, Bias, Content };

/// One summand of the scores.
struct ScoreTerm {
    /// Query part times key part. Nullopt: the bias by distance, which is not a product.
    struct Product {
        ScorePart query = ScorePart::Word;
        ScorePart key = ScorePart::Word;
        friend bool operator==(const Product&, const Product&) = default;
    };
    std::optional<Product> product;
    HeadStack values; ///< [heads, rows, columns]
};

/// Scores of a self-attention layer as a sum over content and position. If positions are added to words, the
/// split is exact in the first layer only, where the stream is still word + position (Dai et al. 2019,
/// section 3.3): with the preceding norm frozen, nine terms sum to the scores. If a bias by distance is added
/// to the scores, it is exact in every layer: content + distance.
struct ScoreTerms {
    Request request;
    AttentionSite site;        ///< encoder or decoder self-attention
    std::vector<Token> tokens; ///< input tokens, along rows and columns
    std::vector<ScoreTerm> terms;
    HeadStack scores; ///< input of the softmax before the mask
    MaskMatrix mask;  ///< [rows, columns], 1 = allowed
};

} // namespace headscope::trace
