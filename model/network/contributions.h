#pragma once

#include "model/network/attention_block.h"
#include "model/network/whole_pass.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// Returns the share of each key and, in the last column, of the residual stream in bringing a row nearer to
/// its result: max(0, |y|_1 - |y - part|_1), normalised (Ferrando et al. 2022). [rows, keys + 1]. A row that
/// no part brings nearer is NaN.
at::Tensor contributionsOf(const AttentionBlock& block, std::stop_token stop);

/// Returns contributionsOf() multiplied through all sublayers up to `site` (ALTI+): [S, S] in the encoder,
/// else [T, S + T], shares of each source token and each decoder input.
at::Tensor contributionsUpTo(const Transformer& network, const Interventions& interventions,
                             const WholePass& pass, const trace::AttentionSite& site, std::stop_token stop);

/// Returns attention, averaged over heads, multiplied through all sublayers up to `site`, with half the
/// weight for each residual connection (Abnar and Zuidema 2020). Shapes as in contributionsUpTo().
at::Tensor rolloutUpTo(const WholePass& pass, const trace::AttentionSite& site);

} // namespace headscope::network
