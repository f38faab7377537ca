#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace headscope::trace {

/// Half-open range [first, last) of source tokens, in a decoder alone of fed tokens; all of them by default.
struct KeyRange {
    std::size_t first = 0;
    std::size_t last = std::numeric_limits<std::size_t>::max();
    friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// Knock-out loss per source token or, in a decoder alone, per earlier token: how much log-probability one
/// step's token loses when it cannot attend to that token (attention knock-out, Geva et al. 2023). Attention
/// weights alone do not show this.
struct CausalRow {
    Request request;
    std::size_t step = 0;
    /// Cross-attention head in which the single cell is masked. Nullopt: the key is masked in every
    /// cross-attention head, for all rows up to the step. In a decoder alone the heads are those of its
    /// self-attention, and the rows those between the key and the step.
    std::optional<HeadAddress> head;
    Token token;                   ///< the token whose log-probability is measured
    std::optional<Token> contrast; ///< if set, minus that of this token, which is the difference of logits
    double logProbability = 0;     ///< original, natural logarithm
    /// [S], in a decoder alone [T]: original log-probability minus the log-probability with the key masked.
    /// NaN if the key is masked anyway, is the only allowed key of the row, comes after the step, or is
    /// outside the requested key range.
    std::vector<double> drops;
};

} // namespace headscope::trace
