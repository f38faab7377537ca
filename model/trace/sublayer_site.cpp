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

std::vector<SublayerKind> encoderSublayers() {
    return {SublayerKind::EncoderSelf, SublayerKind::EncoderFeedForward};
}

std::vector<SublayerKind> decoderSublayers(bool hasCross) {
    if (hasCross)
        return {SublayerKind::DecoderSelf, SublayerKind::Cross, SublayerKind::DecoderFeedForward};
    return {SublayerKind::DecoderSelf, SublayerKind::DecoderFeedForward};
}

} // namespace headscope::trace
