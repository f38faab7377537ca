#pragma once

#include "model/trace/intervention.h"
#include "model/trace/request.h"

#include <cstdint>
#include <vector>

namespace headscope::trace {

/// What one sublayer did to the residual stream, one value a token, padding too; lengths are Euclidean.
struct SublayerFlow {
    SublayerAddress sublayer;
    std::vector<double> before; ///< length of the stream that it was given
    std::vector<double> added;  ///< length of what it adds, before the sum and any norm of the sum
    std::vector<double> after;  ///< length of the stream after it
    std::vector<double> cosine; ///< between what it adds and the stream before it; 0 where one of them is 0

    // Of a feed-forward only.
    std::int64_t units = 0;     ///< d_ff; 0: this is attention
    std::int64_t deadUnits = 0; ///< whose input is above 0 for no token of this run but padding
    double activeShare = 0;     ///< of units times tokens, padding left out, whose input is above 0
};

/// What flowed through the whole model in one run.
struct ModelFlow {
    Request request;
    std::vector<double> sourceEmbedding; ///< [S] lengths of the vectors that the first layer is fed
    std::vector<double> targetEmbedding; ///< [T]; empty without a decoder
    std::vector<SublayerFlow> sublayers; ///< encoder, then decoder, in the order in which they run
    std::vector<double> encoderOutput;   ///< [S] lengths after the final norm, where there is one
    std::vector<double> decoderOutput;   ///< [T]
};

} // namespace headscope::trace
