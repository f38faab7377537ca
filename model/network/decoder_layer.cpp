#include "model/network/decoder_layer.h"

#include <string>

namespace headscope::network {

namespace {

std::string decoderRole(int layer, const char* part) {
    return "decoder." + std::to_string(layer) + "." + part;
}

std::optional<MultiHeadAttention> crossAttention(ParameterList& list, const NetworkConfig& config, int layer,
                                                 const MultiHeadAttention& self) {
    if (!config.hasCrossAttention())
        return std::nullopt;
    return config.tiedDecoderAttention
               ? self // shares the tensors
               : MultiHeadAttention(list, decoderRole(layer, "cross"), config, config.decoder);
}

} // namespace

DecoderLayer::DecoderLayer(ParameterList& list, const NetworkConfig& config, int layer)
    : layer_(layer), scheme_(config.decoder.normScheme),
      selfAttention_(list, decoderRole(layer, "self"), config, config.decoder),
      crossAttention_(crossAttention(list, config, layer, selfAttention_)),
      feedForward_(list, decoderRole(layer, "feed_forward"), config, config.decoder, layer),
      aroundSelf_(list, decoderRole(layer, "norm_self"), config, config.decoder),
      aroundCross_(config.hasCrossAttention()
                       ? std::optional(Norm(list, decoderRole(layer, "norm_cross"), config, config.decoder))
                       : std::nullopt),
      aroundFeedForward_(list, decoderRole(layer, "norm_feed_forward"), config, config.decoder),
      afterSelf_(normAfter(list, decoderRole(layer, "norm_self_after"), config, config.decoder)),
      afterCross_(config.hasCrossAttention()
                      ? normAfter(list, decoderRole(layer, "norm_cross_after"), config, config.decoder)
                      : std::nullopt),
      afterFeedForward_(
          normAfter(list, decoderRole(layer, "norm_feed_forward_after"), config, config.decoder)) {}

at::Tensor DecoderLayer::forward(at::Tensor x, KeyValueCache& fed, const AttentionMask& selfMask,
                                 const AttentionPositions& positions, const KeysValues& memory,
                                 const AttentionMask& crossMask, const Pass& pass) const {
    const auto first = fed.length();
    const auto input = x;
    const auto factor = [&](trace::SublayerKind kind) { return pass.sublayerFactor(kind, layer_); };
    const int sublayers = crossAttention_ ? 3 : 2;
    int sublayer = 0;
    const auto report = [&] {
        ++sublayer;
        if (pass.observer)
            pass.observer->residual(Stack::Decoder, sublayers * layer_ + sublayer, x);
    };
    x = addSublayer(scheme_, aroundSelf_, pointerTo(afterSelf_), x, factor(trace::SublayerKind::DecoderSelf),
                    pass.observer, [&](const auto& y) {
                        const auto [q, newest] = selfAttention_.project(y);
                        fed.append({.k = positions.turned(newest.k), .v = newest.v});
                        return selfAttention_.attend(positions.turned(q), fed.all(), selfMask,
                                                     {trace::AttentionKind::DecoderSelf, layer_}, first, pass,
                                                     positions.bias);
                    });
    report();
    if (crossAttention_) {
        x = addSublayer(scheme_, *aroundCross_, pointerTo(afterCross_), x, factor(trace::SublayerKind::Cross),
                        pass.observer, [&](const auto& y) {
                            return crossAttention_->attend(crossAttention_->queries(y), memory, crossMask,
                                                           {trace::AttentionKind::Cross, layer_}, first,
                                                           pass);
                        });
        report();
    }
    const auto ofFeedForward = factor(trace::SublayerKind::DecoderFeedForward);
    const auto feedForward = [&](const auto& y) { return feedForward_(y, pass); };
    x = scheme_ == NormScheme::Parallel
            ? addParallel(aroundFeedForward_, x, input, ofFeedForward, pass.observer, feedForward)
            : addSublayer(scheme_, aroundFeedForward_, pointerTo(afterFeedForward_), x, ofFeedForward,
                          pass.observer, feedForward);
    report();
    return x;
}

} // namespace headscope::network
