#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"

#include <cstddef>
#include <vector>

namespace headscope::trace {

/// What becomes of an attention sublayer's output before the residual stream goes on.
enum class NormAfter {
    None,      ///< it is added as it is
    OfTheSum,  ///< the stream is rescaled once it was added (post-norm)
    OfItAlone, ///< it is rescaled, then added
};

/// What one head writes into the residual stream in one row, key by key: a_ij W_O v_j with the head's own
/// columns of W_O (Kobayashi et al. 2020). The sum over all heads and keys and the bias is `sublayer`.
struct RowContributions {
    Request request;
    HeadAddress head;
    std::size_t query = 0;
    std::vector<double> weights; ///< [keys] a_ij
    Matrix added;                ///< [keys, d_model] a_ij W_O v_j, with the factors of changes by hand
    std::vector<float> bias;     ///< [d_model] b_O, which belongs to no head; empty where there is none
    std::vector<float> sublayer; ///< [d_model] what all heads and the bias write together
    std::vector<float> before;   ///< [d_model] what that is added to
    NormAfter normAfter = NormAfter::None;
};

} // namespace headscope::trace
