#pragma once

#include "model/trace/index.h"

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace headscope::trace {

/// The three uses of attention in an encoder-decoder (Vaswani et al. 2017, section 3.2.3).
enum class AttentionKind { EncoderSelf, DecoderSelf, Cross };
inline constexpr std::array attentionKinds{AttentionKind::EncoderSelf, AttentionKind::DecoderSelf,
                                           AttentionKind::Cross};

/// One attention sublayer. Layers count from 0.
struct AttentionSite {
    AttentionKind kind = AttentionKind::EncoderSelf;
    LayerIndex layer;
    friend auto operator<=>(const AttentionSite&, const AttentionSite&) = default;
};

/// One head of one attention sublayer. Heads count from 0.
struct HeadAddress {
    AttentionSite site;
    HeadIndex head;
    friend auto operator<=>(const HeadAddress&, const HeadAddress&) = default;
};

/// "encoder", "decoder" or "cross".
std::string_view name(AttentionKind kind);
/// "cross.2"
std::string toString(const AttentionSite& site);
/// "cross.2.5"
std::string toString(const HeadAddress& address);
/// Inverse of toString(). Returns nullopt if `text` is not a head address.
std::optional<HeadAddress> parseHeadAddress(std::string_view text);

} // namespace headscope::trace
