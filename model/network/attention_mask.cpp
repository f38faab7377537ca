#include "model/network/attention_mask.h"

#include <ATen/ATen.h>

#include <utility>

namespace headscope::network {

AttentionMask::AttentionMask(at::Tensor allowedCells)
    : open(std::move(allowedCells)), closed(open.logical_not()), closesAny(closed.any().item<bool>()) {}

at::Tensor allowedKeys(const at::Tensor& ids, std::optional<std::int64_t> padding) {
    return padding ? ids.ne(*padding) : at::ones(ids.sizes(), at::kBool);
}

at::Tensor paddingMask(const at::Tensor& allowedKeys, std::int64_t queries) {
    return allowedKeys.unsqueeze(0).expand({queries, allowedKeys.size(0)});
}

at::Tensor encoderMask(EncoderMask kind, const at::Tensor& openTokens) {
    const auto tokens = openTokens.size(0);
    switch (kind) {
    case EncoderMask::Keys:
        return paddingMask(openTokens, tokens);
    case EncoderMask::QueryRows:
        return openTokens.unsqueeze(1).expand({tokens, tokens});
    case EncoderMask::None:
        return at::ones({tokens, tokens}, at::kBool);
    case EncoderMask::Both:
        return openTokens.unsqueeze(1).logical_and(openTokens.unsqueeze(0));
    }
    return {};
}

at::Tensor subsequentMask(const at::Tensor& allowedKeys, std::int64_t queries) {
    if (queries == 1)
        return allowedKeys.unsqueeze(0); // the last query may attend to all keys
    const auto keys = allowedKeys.size(0);
    const auto earlier = at::ones({queries, keys}, at::kBool).tril(keys - queries);
    return earlier.logical_and(allowedKeys.unsqueeze(0));
}

at::Tensor windowMask(const at::Tensor& allowedKeys, std::int64_t queries, std::int64_t window) {
    const auto keys = allowedKeys.size(0);
    const auto near = at::ones({queries, keys}, at::kBool).triu(keys - queries - window + 1);
    return subsequentMask(allowedKeys, queries).logical_and(near);
}

} // namespace headscope::network
