#include "model/trace/sublayer_site.h"

namespace headscope::trace {

std::optional<AttentionSite> attentionSite(const SublayerAddress& sublayer) {
    switch (sublayer.kind) {
    case SublayerKind::EncoderSelf:
        return AttentionSite{AttentionKind::EncoderSelf, sublayer.layer};
    case SublayerKind::DecoderSelf:
        return AttentionSite{AttentionKind::DecoderSelf, sublayer.layer};
    case SublayerKind::Cross:
        return AttentionSite{AttentionKind::Cross, sublayer.layer};
    case SublayerKind::EncoderFeedForward:
    case SublayerKind::DecoderFeedForward:
        break;
    }
    return std::nullopt;
}

} // namespace headscope::trace
