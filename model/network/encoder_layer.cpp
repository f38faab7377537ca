#include "model/network/encoder_layer.h"

#include <string>

namespace headscope::network {

namespace {

std::string encoderRole(int layer, const char* part) {
    return "encoder." + std::to_string(layer) + "." + part;
}

constexpr int encoderSublayers = 2;

} // namespace

EncoderLayer::EncoderLayer(ParameterList& list, const NetworkConfig& config, int layer)
    : layer_(layer), scheme_(config.encoder.normScheme),
      selfAttention_(list, encoderRole(layer, "self"), config, config.encoder),
      feedForward_(list, encoderRole(layer, "feed_forward"), config, config.encoder, layer),
      aroundAttention_(list, encoderRole(layer, "norm_self"), config, config.encoder),
      aroundFeedForward_(list, encoderRole(layer, "norm_feed_forward"), config, config.encoder),
      afterAttention_(normAfter(list, encoderRole(layer, "norm_self_after"), config, config.encoder)),
      afterFeedForward_(
          normAfter(list, encoderRole(layer, "norm_feed_forward_after"), config, config.encoder)) {}

EncoderLayer::EncoderLayer(const EncoderLayer& other, int layer) : EncoderLayer(other) {
    layer_ = layer;
}

at::Tensor EncoderLayer::forward(at::Tensor x, const AttentionMask& mask, const AttentionPositions& positions,
                                 const Pass& pass) const {
    const trace::AttentionSite site{trace::AttentionKind::EncoderSelf, layer_};
    const auto input = x;
    const auto factor = [&](trace::SublayerKind kind) { return pass.sublayerFactor(kind, layer_); };
    x = addSublayer(scheme_, aroundAttention_, pointerTo(afterAttention_), x,
                    factor(trace::SublayerKind::EncoderSelf), pass.observer, [&](const auto& y) {
                        const auto [q, memory] = selfAttention_.project(y);
                        const auto bias = positions.distances.defined()
                                              ? selfAttention_.disentangled(positions, q, memory.k, pass)
                                              : positions.bias;
                        return selfAttention_.attend(positions.turned(q),
                                                     {.k = positions.turned(memory.k), .v = memory.v}, mask,
                                                     site, 0, pass, bias);
                    });
    if (pass.observer)
        pass.observer->residual(Stack::Encoder, encoderSublayers * layer_ + 1, x);
    const auto ofFeedForward = factor(trace::SublayerKind::EncoderFeedForward);
    const auto feedForward = [&](const auto& y) { return feedForward_(y, pass); };
    x = scheme_ == NormScheme::Parallel
            ? addParallel(aroundFeedForward_, x, input, ofFeedForward, pass.observer, feedForward)
            : addSublayer(scheme_, aroundFeedForward_, pointerTo(afterFeedForward_), x, ofFeedForward,
                          pass.observer, feedForward);
    if (pass.observer)
        pass.observer->residual(Stack::Encoder, encoderSublayers * layer_ + 2, x);
    return x;
}

} // namespace headscope::network
