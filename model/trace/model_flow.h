#pragma once

#include "model/trace/intervention.h"
#include "model/trace/request.h"

#include <cstdint>
#include <vector>

namespace headscope::trace {

/// Effect of one sublayer on the residual stream, one value per token, padding included. Norms are Euclidean.
struct SublayerFlow {
    SublayerAddress sublayer;
    std::vector<double> before; ///< norm of the stream at its input
    std::vector<double> added;  ///< norm of its contribution, before the sum and its layer norm
    std::vector<double> after;  ///< norm of the stream after the sublayer
    std::vector<double> cosine; ///< between contribution and stream before it; 0 if one of them is 0

    // Feed-forward sublayers only.
    std::int64_t units = 0;     ///< d_ff; 0 for attention
    std::int64_t deadUnits = 0; ///< units whose input exceeds 0 for no token of this run, padding excluded
    double activeShare = 0;     ///< share of units x tokens whose input exceeds 0, padding excluded
};

/// Norms of the residual stream through the whole model in one run.
struct ModelFlow {
    Request request;
    std::vector<double> sourceEmbedding; ///< [S] norms of the input vectors of the first layer
    std::vector<double> targetEmbedding; ///< [T]; empty without a decoder
    std::vector<SublayerFlow> sublayers; ///< encoder, then decoder, in the order in which they run
    std::vector<double> encoderOutput;   ///< [S] norms after the final layer norm, if there is one
    std::vector<double> decoderOutput;   ///< [T]
};

} // namespace headscope::trace
