#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <optional>
#include <vector>

namespace headscope::trace {

/// What a query or a key of a first layer is made of: the projected word vector, the projected positional
/// vector, and what biases alone give. Content: the whole of it, where positions are no part of the stream.
enum class ScorePart { Word, Position, Bias, Content };

/// One summand of the scores.
struct ScoreTerm {
    /// Query part times key part; nothing: the bias that a model adds by distance, which no product makes.
    struct Product {
        ScorePart query = ScorePart::Word;
        ScorePart key = ScorePart::Word;
        friend bool operator==(const Product&, const Product&) = default;
    };
    std::optional<Product> product;
    HeadStack values; ///< [heads, rows, columns]
};

/// The scores of a self-attention layer as a sum over content and position. Where positions are added to
/// words, exact in the first layer, because the stream is still word + position (Dai et al. 2019, section
/// 3.3): with the norm before it frozen, nine terms sum to the scores. Where a bias by distance is added to
/// the scores, exact in every layer: content + distance.
struct ScoreTerms {
    Request request;
    AttentionSite site;        ///< of encoder or decoder self-attention
    std::vector<Token> tokens; ///< that were fed, of the rows and of the columns
    std::vector<ScoreTerm> terms;
    HeadStack scores; ///< what the softmax was given before the mask
    MaskMatrix mask;  ///< [rows, columns], 1 = open
};

} // namespace headscope::trace
