#include "model/network/decoder_layer.h"

#include "model/network/sublayer.h"

#include <algorithm>
#include <string>

namespace headscope::network {

namespace {

std::string role(int layer, const char* part) {
    return "decoder." + std::to_string(layer) + "." + part;
}

constexpr int sublayers = 3;

} // namespace

KeyValueCache::KeyValueCache(int heads, int headWidth, std::int64_t capacity)
    : stored_{.k = at::empty({heads, capacity, headWidth}), .v = at::empty({heads, capacity, headWidth})} {}

void KeyValueCache::append(const KeysValues& rows) {
    const auto added = rows.k.size(1);
    if (const auto needed = length_ + added; needed > stored_.k.size(1)) {
        const auto capacity = std::max(needed, 2 * stored_.k.size(1));
        for (at::Tensor* tensor : {&stored_.k, &stored_.v}) {
            auto larger = at::empty({tensor->size(0), capacity, tensor->size(2)});
            larger.narrow(1, 0, length_).copy_(tensor->narrow(1, 0, length_));
            *tensor = larger;
        }
    }
    stored_.k.narrow(1, length_, added).copy_(rows.k);
    stored_.v.narrow(1, length_, added).copy_(rows.v);
    length_ += added;
}

KeysValues KeyValueCache::all() const {
    return {.k = stored_.k.narrow(1, 0, length_), .v = stored_.v.narrow(1, 0, length_)};
}

DecoderLayer::DecoderLayer(ParameterList& list, const NetworkConfig& config, int layer)
    : layer_(layer), scheme_(config.normScheme),
      selfAttention_(list, role(layer, "self"), config, config.decoderHeads),
      crossAttention_(list, role(layer, "cross"), config, config.decoderHeads),
      feedForward_(list, role(layer, "feed_forward"), config),
      aroundSelf_(list, role(layer, "norm_self"), config),
      aroundCross_(list, role(layer, "norm_cross"), config),
      aroundFeedForward_(list, role(layer, "norm_feed_forward"), config) {}

at::Tensor DecoderLayer::forward(at::Tensor x, KeyValueCache& fed, const at::Tensor& selfMask,
                                 const KeysValues& memory, const at::Tensor& crossMask,
                                 const Pass& pass) const {
    const auto first = fed.length();
    const auto factor = [&](trace::SublayerKind kind) { return pass.sublayerFactor(kind, layer_); };
    const auto report = [&](int sublayer) {
        if (pass.observer)
            pass.observer->residual(Stack::Decoder, sublayers * layer_ + sublayer, x);
    };
    x = addSublayer(scheme_, aroundSelf_, x, factor(trace::SublayerKind::DecoderSelf), [&](const auto& y) {
        fed.append(selfAttention_.keysValues(y));
        return selfAttention_.attend(selfAttention_.queries(y), fed.all(), selfMask,
                                     {trace::AttentionKind::DecoderSelf, layer_}, first, pass);
    });
    report(1);
    x = addSublayer(scheme_, aroundCross_, x, factor(trace::SublayerKind::Cross), [&](const auto& y) {
        return crossAttention_.attend(crossAttention_.queries(y), memory, crossMask,
                                      {trace::AttentionKind::Cross, layer_}, first, pass);
    });
    report(2);
    x = addSublayer(scheme_, aroundFeedForward_, x, factor(trace::SublayerKind::DecoderFeedForward),
                    feedForward_);
    report(3);
    return x;
}

} // namespace headscope::network
