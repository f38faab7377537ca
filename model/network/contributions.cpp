#include "model/network/contributions.h"

#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <functional>
#include <limits>

namespace headscope::network {

namespace {

using trace::AttentionKind;
using trace::AttentionSite;

/// Shares of one sublayer: of its keys, [rows, keys], and of the residual stream, [rows, 1].
struct Shares {
    at::Tensor keys;
    at::Tensor residual;
};
using SharesOf = std::function<Shares(const AttentionSite&)>;

/// Returns shares x through. A NaN row of `through` affects only rows with a nonzero share of it: a causal
/// row must not depend on a later one.
at::Tensor multiplied(const at::Tensor& shares, const at::Tensor& through) {
    const auto undefined = through.isnan().any(1);                         // [keys]
    const auto clean = through.masked_fill(undefined.unsqueeze(1), 0);     // [keys, columns]
    const auto touched = shares.ne(0).logical_and(undefined).any(1, true); // [rows, 1]
    return at::matmul(shares, clean).masked_fill(touched, std::numeric_limits<float>::quiet_NaN());
}

at::Tensor withResidual(const Shares& self) {
    return self.keys + at::diag(self.residual.view(-1));
}

/// Common part of rollout and contributions, which differ only in the shares.
at::Tensor multiplyThrough(const SharesOf& sharesOf, const WholePass& pass, const AttentionSite& site) {
    const auto sources = pass.encoderOutput.size(0); // 0 for a decoder alone
    auto source = at::eye(sources);                  // [S, S]
    const bool inEncoder = site.kind == AttentionKind::EncoderSelf;
    for (int layer = 0; pass.sites.contains({AttentionKind::EncoderSelf, layer}); ++layer) {
        if (inEncoder && layer > site.layer)
            break;
        source = multiplied(withResidual(sharesOf({AttentionKind::EncoderSelf, layer})), source);
    }
    if (inEncoder)
        return source;
    const auto fed = pass.decoderOutput.size(0);
    auto shares = at::cat({at::zeros({fed, sources}), at::eye(fed)}, 1); // [T, S + T]
    for (int layer = 0; layer <= site.layer; ++layer) {
        shares = multiplied(withResidual(sharesOf({AttentionKind::DecoderSelf, layer})), shares);
        if (layer == site.layer && site.kind == AttentionKind::DecoderSelf)
            break;
        if (!pass.sites.contains({AttentionKind::Cross, layer}))
            continue;
        const auto cross = sharesOf({AttentionKind::Cross, layer});
        shares = cross.residual * shares;
        shares.narrow(1, 0, sources).add_(multiplied(cross.keys, source));
    }
    return shares;
}

} // namespace

at::Tensor contributionsOf(const AttentionBlock& block, std::stop_token stop) {
    std::vector<at::Tensor> rows;
    for (std::int64_t row = 0; row < block.rows(); ++row) {
        if (stop.stop_requested())
            throw trace::Cancelled();
        const auto parts =
            at::cat({block.parts(row), block.residual(row).unsqueeze(0)}); // [keys + 1, d_model]
        const auto result = block.result(row);
        const auto nearer = (result.abs().sum() - (result - parts).abs().sum(-1)).clamp_min(0);
        rows.push_back(nearer / nearer.sum());
    }
    return at::stack(rows);
}

at::Tensor contributionsUpTo(const Transformer& network, const Interventions& interventions,
                             const WholePass& pass, const AttentionSite& site, std::stop_token stop) {
    const auto sharesOf = [&](const AttentionSite& at) -> Shares {
        const auto shares = contributionsOf({network, interventions, at, pass.sites.at(at)}, stop);
        const auto keys = shares.size(1) - 1;
        return {.keys = shares.narrow(1, 0, keys), .residual = shares.narrow(1, keys, 1)};
    };
    return multiplyThrough(sharesOf, pass, site);
}

at::Tensor rolloutUpTo(const WholePass& pass, const AttentionSite& site) {
    const auto sharesOf = [&](const AttentionSite& at) -> Shares {
        const auto mean = pass.sites.at(at).weights.mean(0); // [rows, keys]
        return {.keys = mean / 2, .residual = at::full({mean.size(0), 1}, 0.5)};
    };
    return multiplyThrough(sharesOf, pass, site);
}

} // namespace headscope::network
