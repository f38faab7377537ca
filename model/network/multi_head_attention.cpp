#include "model/network/multi_head_attention.h"

#include "model/network/one_query.h"

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
    const auto inOrder = {role + ".query", role + ".key", role + ".value"};
    queryKeyValue_ = Linear::buildFused(list, inOrder, config.modelWidth, inner, biases.queryKeyValue);
    query_ = queryKeyValue_.part(0, 3);
    keyValue_ = {.weight = queryKeyValue_.weight.narrow(0, inner, 2 * inner)};
    if (biases.queryKeyValue)
        keyValue_.bias = queryKeyValue_.bias.narrow(0, inner, 2 * inner);
    output_ = Linear::build(list, role + ".output", inner, config.modelWidth, biases.attentionOutput);
}

MultiHeadAttention::Projections MultiHeadAttention::project(const at::Tensor& x) const {
    return divided(queryKeyValue_(x));
}

MultiHeadAttention::Projections MultiHeadAttention::projectLinearly(const at::Tensor& x) const {
    return divided(Linear{.weight = queryKeyValue_.weight}(x));
}

MultiHeadAttention::Projections MultiHeadAttention::divided(const at::Tensor& projected) const {
    // [n, 3 * heads * d_k] -> [3, heads, n, d_k]
    const auto all = projected.view({projected.size(0), 3, heads_, -1}).permute({1, 2, 0, 3});
    return {.q = all[0], .memory = {.k = all[1], .v = all[2]}};
}

at::Tensor MultiHeadAttention::queries(const at::Tensor& x) const {
    return query_(x).view({x.size(0), heads_, -1}).transpose(0, 1); // [n, heads * d_k] -> [heads, n, d_k]
}

KeysValues MultiHeadAttention::keysValues(const at::Tensor& x) const {
    const auto both =
        keyValue_(x).view({x.size(0), 2, heads_, -1}).permute({1, 2, 0, 3}); // [2, heads, n, d_k]
    return {.k = both[0], .v = both[1]};
}

at::Tensor MultiHeadAttention::attend(const at::Tensor& q, const KeysValues& memory,
                                      const AttentionMask& mask, trace::AttentionSite site,
                                      std::int64_t firstQuery, const Pass& pass,
                                      const at::Tensor& bias) const {
    // Plain loops record no gradients.
    const bool oneQuery = q.size(1) == 1 && !q.requires_grad() && !memory.k.requires_grad();
    const auto* changes = pass.changesAt(site);
    const auto scale = pass.scoreScale(scoreScale_);
    const auto closed = changes ? changes->closed(mask.closed, heads_, firstQuery) : mask.closed;
    auto scores = oneQuery ? scoresOfOneQuery(q, memory.k, scale) // [heads, queries, keys]
                           : at::bmm(q, memory.k.transpose(1, 2)).mul_(scale);
    if (bias.defined())
        scores = scores + bias;
    const bool closesAny = changes || mask.closesAny;
    auto weights = (closesAny ? scores.masked_fill(closed, maskFill_) : scores).softmax(-1);
    if (changes)
        weights = changes->weights(weights, closed, firstQuery);
    auto outputs = oneQuery ? outputsOfOneQuery(weights, memory.v) // [heads, queries, d_k]
                            : at::bmm(weights, memory.v);
    if (changes)
        outputs = changes->outputs(outputs, firstQuery);
    if (pass.observer)
        pass.observer->attention({.site = site,
                                  .mask = mask.open,
                                  .scores = scores,
                                  .weights = weights,
                                  .q = q,
                                  .k = memory.k,
                                  .v = memory.v,
                                  .outputs = outputs});
    const auto written = output_(outputs.transpose(0, 1).reshape({q.size(1), -1})); // [queries, d_model]
    return pass.probe && pass.probe->site == site ? written + pass.probe->added : written;
}

} // namespace headscope::network
