#include "model/network/attention_block.h"

#include "model/network/matrix_product.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::network {

namespace {

trace::SublayerKind sublayerOf(trace::AttentionKind kind) {
    switch (kind) {
    case trace::AttentionKind::EncoderSelf:
        return trace::SublayerKind::EncoderSelf;
    case trace::AttentionKind::DecoderSelf:
        return trace::SublayerKind::DecoderSelf;
    case trace::AttentionKind::Cross:
        break;
    }
    return trace::SublayerKind::Cross;
}

/// Returns the factor of each head's output, [heads].
at::Tensor factorsOf(const SiteChanges* changes, const trace::AttentionSite& site, std::int64_t heads) {
    std::vector<float> factors;
    for (int head = 0; head < heads; ++head) {
        if (changes && changes->replaces(head))
            throw trace::Refusal({.what = "What each token gave to this head cannot be told",
                                  .where = toString(trace::HeadAddress{site, head}),
                                  .expected = "a head whose output is made of its own values",
                                  .found = "an output that was replaced",
                                  .wayOut = "switch that change off"});
        factors.push_back(changes ? static_cast<float>(changes->factor(head)) : 1.0F);
    }
    return at::tensor(factors);
}

} // namespace

AttentionBlock::AttentionBlock(const Transformer& network, const Interventions& interventions,
                               const trace::AttentionSite& site, const SitePass& pass)
    : scheme_(network.config().stackOf(site.kind).normScheme), pass_(pass),
      factor_(interventions.sublayerFactor({sublayerOf(site.kind), site.layer})) {
    const auto [attention, norm, after] = network.attention(site);
    const auto& [weight, bias, scale] = attention.output();
    const auto heads = pass.v.size(0);
    // [d_model, heads * d_k] -> [heads, d_k, d_model]
    const auto ofHeads = widened(weight).view({weight.size(0), heads, -1}).permute({1, 2, 0});
    written_ =
        at::bmm(pass.v, ofHeads) * factorsOf(interventions.at(site), site, heads).view({heads, 1, 1}) * scale;
    bias_ = bias.defined() ? bias * scale : bias;
    residual_ = scheme_ == NormScheme::PreNormedResidual ? norm(pass.before) : pass.before;
    if (scheme_ == NormScheme::Post)
        frozen_ = norm.freeze(pass.before + output() * factor_);
    else if (normsOutput())
        frozen_ = (after ? *after : norm).freeze(output());
}

at::Tensor AttentionBlock::output() const {
    const auto added = at::bmm(pass_.weights, written_).sum(0);
    return bias_.defined() ? added + bias_ : added;
}

at::Tensor AttentionBlock::throughNorm(const at::Tensor& part, std::int64_t row) const {
    return frozen_.gain.defined() ? frozen_.row(row).linear(part) : part;
}

at::Tensor AttentionBlock::parts(std::int64_t row) const {
    const auto weights = pass_.weights.select(1, row).unsqueeze(-1); // [heads, keys, 1]
    return throughNorm((weights * written_).sum(0), row) * factor_;
}

at::Tensor AttentionBlock::residual(std::int64_t row) const {
    return scheme_ == NormScheme::Post ? throughNorm(residual_[row], row) : residual_[row];
}

at::Tensor AttentionBlock::constant(std::int64_t row) const {
    auto constant = at::zeros({written_.size(2)});
    if (bias_.defined())
        constant = throughNorm(bias_, row) * factor_;
    if (!frozen_.bias.defined())
        return constant;
    // The sublayer's factor applies after a norm of its output, before a norm of the sum.
    return constant + frozen_.bias * (normsOutput() ? factor_ : 1);
}

at::Tensor AttentionBlock::result(std::int64_t row) const {
    return pass_.after[row];
}

} // namespace headscope::network
