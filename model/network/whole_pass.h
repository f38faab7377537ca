#pragma once

#include "model/network/intervention.h"
#include "model/network/pass.h"
#include "model/network/transformer.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <stop_token>

namespace headscope::network {

/// Values computed by one attention sublayer of a whole pass.
struct SitePass {
    at::Tensor open;    ///< [queries, keys] bool
    at::Tensor weights; ///< [heads, queries, keys]
    at::Tensor v;       ///< [heads, keys, d_k]
    at::Tensor before;  ///< [queries, d_model] residual stream before the sublayer
    at::Tensor after;   ///< [queries, d_model] residual stream after the sublayer
};

/// Result of one pass of whole source and target, with all values kept as tensors.
struct WholePass {
    std::map<trace::AttentionSite, SitePass> sites;
    at::Tensor encoderOutput; ///< [S, d_model]
    at::Tensor decoderOutput; ///< [T, d_model]; undefined without a decoder
};

/// Input of a whole pass.
struct PassInput {
    at::Tensor embedded;   ///< [S, d_model], positions included
    at::Tensor openSource; ///< [S] bool
    at::Tensor fed;        ///< [T] int64, decoder input; undefined without a decoder
    at::Tensor openFed;    ///< [T] bool
    const Interventions& interventions;
};

/// `probe` may be null. Throws trace::Cancelled.
WholePass wholePass(const Transformer& network, const PassInput& input, const OutputProbe* probe,
                    std::stop_token stop);

} // namespace headscope::network
