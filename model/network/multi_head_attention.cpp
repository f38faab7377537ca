#include "model/network/multi_head_attention.h"

#include <ATen/ATen.h>

#include <limits>

namespace headscope::network {

namespace {

double fillValue(MaskFill fill) {
    switch (fill) {
    case MaskFill::MinusBillion:
        return -1e9;
    case MaskFill::LowestFinite:
        return std::numeric_limits<float>::lowest();
    case MaskFill::NegativeInfinity:
        return -std::numeric_limits<double>::infinity();
    }
    return 0;
}

} // namespace

MultiHeadAttention::MultiHeadAttention(ParameterList& list, const std::string& role,
                                       const NetworkConfig& config, int heads)
    : heads_(heads), scoreScale_(config.scoreScale), maskFill_(fillValue(config.maskFill)) {
    const int inner = heads * config.headWidth;
    const auto& biases = config.biases;
    query_ = Linear::build(list, role + ".query", config.modelWidth, inner, biases.queryKeyValue);
    key_ = Linear::build(list, role + ".key", config.modelWidth, inner, biases.queryKeyValue);
    value_ = Linear::build(list, role + ".value", config.modelWidth, inner, biases.queryKeyValue);
    output_ = Linear::build(list, role + ".output", inner, config.modelWidth, biases.attentionOutput);
}

at::Tensor MultiHeadAttention::splitHeads(const at::Tensor& x) const {
    return x.view({x.size(0), heads_, -1}).transpose(0, 1); // [n, heads * d_k] -> [heads, n, d_k]
}

at::Tensor MultiHeadAttention::queries(const at::Tensor& x) const {
    return splitHeads(query_(x));
}

KeysValues MultiHeadAttention::keysValues(const at::Tensor& x) const {
    return {.k = splitHeads(key_(x)), .v = splitHeads(value_(x))};
}

at::Tensor MultiHeadAttention::attend(const at::Tensor& q, const KeysValues& memory, const at::Tensor& mask,
                                      trace::AttentionSite site, std::int64_t firstQuery,
                                      const Pass& pass) const {
    const auto* changes = pass.changesAt(site);
    auto closed = mask.logical_not();
    if (changes)
        closed = changes->closed(closed, heads_, firstQuery);
    const auto scores =
        at::matmul(q, memory.k.transpose(-2, -1)) * pass.scoreScale(scoreScale_); // [heads, queries, keys]
    auto weights = scores.masked_fill(closed, maskFill_).softmax(-1);             // [heads, queries, keys]
    if (changes)
        weights = changes->weights(weights, closed, firstQuery);
    auto outputs = at::matmul(weights, memory.v); // [heads, queries, d_k]
    if (changes)
        outputs = changes->outputs(outputs, firstQuery);
    if (pass.observer)
        pass.observer->attention({.site = site,
                                  .mask = mask,
                                  .scores = scores,
                                  .weights = weights,
                                  .q = q,
                                  .k = memory.k,
                                  .v = memory.v,
                                  .outputs = outputs});
    return output_(outputs.transpose(0, 1).reshape({q.size(1), -1})); // [queries, d_model]
}

} // namespace headscope::network
