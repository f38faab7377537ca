#pragma once

#include "tests/widgets/example_run.h"

#include "model/trace/quantity_maps.h"
#include "model/trace/row_contributions.h"
#include "widgets/words/effect_words.h"

#include <cmath>
#include <limits>

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

/// What a step loses: as its weights are, but the last key's absence is a gain and the second cannot be
/// closed.
inline std::shared_ptr<trace::CausalRow> causalRow(const trace::Run& run, std::size_t step,
                                                   std::optional<trace::HeadAddress> head, double size) {
    auto row = std::make_shared<trace::CausalRow>();
    row->request = run.request;
    row->step = step;
    row->head = head;
    row->token = run.next.at(step);
    row->logProbability = -0.18;
    const auto& record = *run.record(aligningHead.site);
    for (std::size_t c = 0; c < record.mask.columns(); ++c)
        row->drops.push_back(size * static_cast<double>(record.weights(5, step, c)));
    row->drops[1] = std::numeric_limits<double>::quiet_NaN();
    row->drops.back() = -0.2 * size;
    return row;
}

inline widgets::ShownCause cause(const trace::Run& run, std::size_t step) {
    return {.everywhere = causalRow(run, step, std::nullopt, 3),
            .here = causalRow(run, step, aligningHead, 0.05)};
}

/// Made-up vectors of 12 dimensions, weighted as the row is.
inline std::shared_ptr<trace::RowContributions>
rowContributions(const trace::Run& run, const trace::HeadAddress& head, std::size_t query) {
    constexpr std::size_t width = 12;
    auto row = std::make_shared<trace::RowContributions>();
    row->request = run.request;
    row->head = head;
    row->query = query;
    const auto weights = run.record(head.site)->weights.head(static_cast<std::size_t>(head.head)).row(query);
    row->weights = {weights.begin(), weights.end()};
    row->added = {weights.size(), width};
    row->bias.assign(width, 0.01F);
    row->sublayer.assign(width, 0.15F);
    for (std::size_t d = 0; d < width; ++d) {
        for (std::size_t key = 0; key < weights.size(); ++key) {
            row->added(key, d) = weights[key] * float(std::sin(double(d) + 0.7 * double(key)));
            row->sublayer[d] += 2 * row->added(key, d);
        }
        row->before.push_back(float(3 * std::cos(0.4 * double(d))));
    }
    return row;
}

} // namespace headscope::example
