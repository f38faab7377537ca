#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/matrix.h"
#include "model/trace/request.h"

#include <cstddef>
#include <vector>

namespace headscope::trace {

/// What one head writes into the residual stream in one row, key by key: a_ij W_O v_j with the head's own
/// columns of W_O (Kobayashi et al. 2020). The output projection's bias belongs to no head.
struct RowContributions {
    Request request;
    HeadAddress head;
    std::size_t query = 0;
    std::vector<double> weights; ///< [keys] a_ij
    Matrix written;              ///< [keys, d_model] W_O v_j, before it is weighted
    Matrix added;                ///< [keys, d_model] a_ij times it, as it is added
    std::vector<float> before;   ///< [d_model] the residual stream of the row, before the sublayer
    std::vector<float> sublayer; ///< [d_model] what all heads and the bias add to it together
    bool normedAfter = false;    ///< a norm follows that rescales the sum (post-norm)
};

} // namespace headscope::trace
