#pragma once

#include "tests/widgets/example_run.h"

#include "model/trace/quantity_maps.h"

/// Made-up maps of the example run, beside its weights.
namespace headscope::example {

/// Lengths that shrink what the run looks at in the last key, as sinks do.
inline std::shared_ptr<trace::QuantityMaps> normWeighted(const trace::Run& run, trace::AttentionSite site) {
    auto maps = std::make_shared<trace::QuantityMaps>();
    const auto& record = *run.record(site);
    maps->request = run.request;
    maps->site = site;
    maps->mask = record.mask;
    maps->values = record.weights;
    maps->sourceColumns = site.kind == trace::AttentionKind::DecoderSelf ? 0 : record.mask.columns();
    for (std::size_t h = 0; h < maps->values.heads(); ++h)
        for (std::size_t r = 0; r < maps->values.rows(); ++r)
            for (std::size_t c = 0; c < maps->values.columns(); ++c)
                maps->values.at(h, r, c) *= c + 1 == maps->values.columns() ? 0.25F : 12.0F;
    return maps;
}

/// Source and target halves of every row of the decoder, each a softmax of the example's own; of the encoder
/// its weights. Rows sum to 1.
inline std::shared_ptr<trace::QuantityMaps> shares(const trace::Run& run, trace::MapQuantity quantity,
                                                   trace::AttentionSite site) {
    auto maps = std::make_shared<trace::QuantityMaps>();
    maps->request = run.request;
    maps->quantity = quantity;
    maps->site = site;
    const std::size_t source = run.source.size();
    const bool inDecoder = site.kind != trace::AttentionKind::EncoderSelf;
    const std::size_t rows = inDecoder ? run.target.size() : source;
    const std::size_t columns = source + (inDecoder ? rows : 0);
    maps->sourceColumns = source;
    maps->values = trace::HeadStack(1, rows, columns);
    maps->mask = trace::MaskMatrix(rows, columns, 1);
    const auto& left = inDecoder ? run.cross.back() : run.encoder.back();
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            const auto& part = c < source ? left : run.decoder.back();
            const std::size_t column = c < source ? c : c - source;
            const float side = !inDecoder ? 1 : c < source ? 0.7F - 0.4F * float(r) / float(rows) : 0;
            const float share = c < source ? side : 1 - (0.7F - 0.4F * float(r) / float(rows));
            maps->values.at(0, r, c) = share * part.weights(1, r, column);
            maps->mask(r, c) = part.mask(r, column);
        }
    return maps;
}

/// Signed: what is right of the diagonal lowers the logit.
inline std::shared_ptr<trace::QuantityMaps> gradient(const trace::Run& run, trace::AttentionSite site,
                                                     std::size_t step) {
    auto maps = normWeighted(run, site);
    maps->quantity = trace::MapQuantity::GradientAttention;
    maps->step = step;
    maps->token = run.next.at(step);
    for (std::size_t h = 0; h < maps->values.heads(); ++h)
        for (std::size_t r = 0; r < maps->values.rows(); ++r)
            for (std::size_t c = 0; c < maps->values.columns(); ++c)
                maps->values.at(h, r, c) *= r > step ? 0 : c > r ? -0.02F : 0.03F;
    return maps;
}

} // namespace headscope::example
