#include "model/engine/quantity_maps.h"

#include "model/engine/logit_gradient.h"
#include "model/engine/tensor_values.h"
#include "model/engine/whole_path.h"
#include "model/network/attention_block.h"
#include "model/network/contributions.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

namespace headscope::engine {

namespace {

using trace::AttentionKind;
using trace::MapQuantity;

/// Returns [1, rows, columns], for quantities with one map for all heads.
trace::HeadStack oneMap(const at::Tensor& map) {
    return headStack(map.unsqueeze(0));
}

/// Mask of rollout columns: source tokens are allowed unless padding, target tokens up to the row's own.
trace::MaskMatrix columnsReached(const at::Tensor& map, const network::WholePass& pass,
                                 const EncodedSource& source, AttentionKind kind) {
    auto open = source.open.unsqueeze(0).expand({map.size(0), -1});
    if (kind != AttentionKind::EncoderSelf)
        open = at::cat({open, pass.sites.at({AttentionKind::DecoderSelf, 0}).open}, 1);
    // Nonzero values are never hidden: the stream of a padding token keeps the token itself, and some models
    // attend to padding.
    return maskMatrix(open.logical_or(map.gt(0)));
}

} // namespace

std::shared_ptr<const trace::QuantityMaps> quantityMaps(const OpenModel& model, const EncodedSource& source,
                                                        const network::Interventions& interventions,
                                                        const trace::Run& run, MapQuantity quantity,
                                                        const trace::AttentionSite& site, std::size_t step,
                                                        std::stop_token stop) {
    refuseMissingSite(*model.summary, site);
    auto maps = std::make_shared<trace::QuantityMaps>();
    maps->request = run.request;
    maps->quantity = quantity;
    maps->site = site;
    const auto input = wholePathOf(model, source, interventions, run);
    if (quantity == MapQuantity::GradientAttention) {
        fillGradientMaps(*maps, model, input, run, step, std::move(stop));
        return maps;
    }
    const auto pass = network::wholePass(*model.network, input, nullptr, stop);
    const auto& here = pass.sites.at(site);
    if (quantity == MapQuantity::NormWeighted) {
        const network::AttentionBlock block(*model.network, interventions, site, here);
        maps->values =
            headStack(here.weights * block.written().norm(2, -1).unsqueeze(1) * std::abs(block.factor()));
        maps->mask = maskMatrix(here.open);
        maps->sourceColumns = site.kind == AttentionKind::DecoderSelf ? 0 : maps->mask.columns();
        return maps;
    }
    const auto map =
        quantity == MapQuantity::Rollout
            ? network::rolloutUpTo(pass, site)
            : network::contributionsUpTo(*model.network, interventions, pass, site, std::move(stop));
    maps->values = oneMap(map);
    maps->mask = columnsReached(map, pass, source, site.kind);
    maps->sourceColumns = source.length();
    return maps;
}

} // namespace headscope::engine
