#pragma once

#include "model/network/network_config.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace headscope::network {

/// Where attention may look. Made once for a pass, because every layer asks the same of it.
struct AttentionMask {
    AttentionMask(at::Tensor openCells);

    at::Tensor open;        ///< [queries, keys] bool
    at::Tensor closed;      ///< its negation
    bool closesAny = false; ///< whether there is a closed cell
};

/// Which keys are tokens and which only fill a batch: [keys] bool, true = open.
at::Tensor openKeys(const at::Tensor& ids, std::optional<std::int64_t> padding);

/// What an encoder closes of [tokens, tokens] bool where some of its tokens are padding.
at::Tensor encoderMask(EncoderMask kind, const at::Tensor& openTokens);

/// Every query sees every open key: [queries, keys] bool.
at::Tensor paddingMask(const at::Tensor& openKeys, std::int64_t queries);

/// Query t sees the open keys 0..t (Vaswani et al. 2017, section 3.1): the last `queries` rows of the square
/// mask over all keys, [queries, keys] bool.
at::Tensor subsequentMask(const at::Tensor& openKeys, std::int64_t queries);

} // namespace headscope::network
