#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace headscope::trace {

/// Source tokens from `first` to before `last`; all of them by default.
struct KeyRange {
    std::size_t first = 0;
    std::size_t last = std::numeric_limits<std::size_t>::max();
    friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// How much a step's token loses when it cannot look at one source token: attention knock-out (Geva et al.
/// 2023), the comparison that weights alone cannot give.
struct CausalRow {
    Request request;
    std::size_t step = 0;
    /// Whose one cell is closed, of cross-attention; nothing: the key is closed in all cross-attention, for
    /// every row up to the step.
    std::optional<HeadAddress> head;
    Token token;               ///< whose log-probability is measured
    double logProbability = 0; ///< undisturbed, natural logarithm
    std::vector<double> drops; ///< [S] log-probability undisturbed - with the key closed; not a number where
                               ///< the key is closed anyway or is the row's only open one, and where it was
                               ///< not asked for
};

} // namespace headscope::trace
