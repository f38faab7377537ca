#pragma once

#include "model/network/attention_block.h"
#include "model/network/whole_pass.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// How much nearer each key, and last the residual stream, brings each row to its result, as shares of the
/// row: max(0, |y|_1 - |y - part|_1), normalised (Ferrando et al. 2022). [rows, keys + 1]; a row that nothing
/// brings nearer is not a number.
at::Tensor contributionsOf(const AttentionBlock& block, std::stop_token stop);

/// The same multiplied through all sublayers up to `site`: [S, S] in the encoder, else [T, S + T], shares of
/// each source token and each token that the decoder was fed (ALTI+).
at::Tensor contributionsUpTo(const Transformer& network, const Interventions& interventions,
                             const WholePass& pass, const trace::AttentionSite& site, std::stop_token stop);

/// Attention, averaged over heads, multiplied through all sublayers up to `site`, the residual stream as half
/// of each (Abnar and Zuidema 2020). Shapes as above.
at::Tensor rolloutUpTo(const WholePass& pass, const trace::AttentionSite& site);

} // namespace headscope::network
