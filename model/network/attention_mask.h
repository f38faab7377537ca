#pragma once

#include "model/network/network_config.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace headscope::network {

/// Mask of an attention sublayer. Made once per pass, because every layer uses the same one.
struct AttentionMask {
    AttentionMask(at::Tensor allowedCells);

    at::Tensor open;        ///< [queries, keys] bool
    at::Tensor closed;      ///< its negation
    bool closesAny = false; ///< true if any cell is masked
};

/// Returns which keys are not padding: [keys] bool, true = allowed.
at::Tensor allowedKeys(const at::Tensor& ids, std::optional<std::int64_t> padding);

/// Returns the mask of an encoder with padded input: [tokens, tokens] bool. `openTokens`: [tokens] bool,
/// false for padding.
at::Tensor encoderMask(EncoderMask kind, const at::Tensor& openTokens);

/// Allows every query all keys that are not padding: [queries, keys] bool.
at::Tensor paddingMask(const at::Tensor& allowedKeys, std::int64_t queries);

/// Allows query t the keys 0..t that are not padding (Vaswani et al. 2017, section 3.1). Returns the last
/// `queries` rows of the square mask over all keys, [queries, keys] bool.
at::Tensor subsequentMask(const at::Tensor& allowedKeys, std::int64_t queries);

/// Same with the last `window` of these keys only, t - window < key <= t (Beltagy et al. 2020).
at::Tensor windowMask(const at::Tensor& allowedKeys, std::int64_t queries, std::int64_t window);

} // namespace headscope::network
