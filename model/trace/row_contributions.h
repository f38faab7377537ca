#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"

#include <cstddef>
#include <vector>

namespace headscope::trace {

/// Normalisation applied after an attention sublayer.
enum class NormAfter {
    None,      ///< the output is added unchanged
    OfTheSum,  ///< the sum is normalised (post-norm)
    OfItAlone, ///< the output is normalised, then added
};

/// Contribution of one head to the residual stream in one row, by key: a_ij W_O v_j with the head's own
/// columns of W_O (Kobayashi et al. 2020). The sum over all heads and keys plus the bias is `sublayer`.
struct RowContributions {
    Request request;
    HeadAddress head;
    std::size_t query = 0;
    std::vector<double> weights; ///< [keys] a_ij
    Matrix added;                ///< [keys, d_model] a_ij W_O v_j, including factors of interventions
    std::vector<float> bias;     ///< [d_model] b_O, not part of any head; empty if there is none
    std::vector<float> sublayer; ///< [d_model] sum of all heads and the bias
    std::vector<float> before;   ///< [d_model] stream that `sublayer` is added to
    NormAfter normAfter = NormAfter::None;
};

} // namespace headscope::trace
