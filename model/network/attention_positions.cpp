#include "model/network/attention_positions.h"

#include "model/network/rotation_frequencies.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

namespace headscope::network {

at::Tensor AttentionPositions::turned(const at::Tensor& x) const {
    if (!cosine.defined())
        return x;
    const auto pairs = cosine.size(-1);
    const auto one = x.narrow(-1, 0, pairs);
    const auto other = x.narrow(-1, pairs, pairs);
    const auto rest = x.narrow(-1, 2 * pairs, x.size(-1) - 2 * pairs);
    return at::cat({one * cosine - other * sine, other * cosine + one * sine, rest}, -1);
}

at::Tensor ScoreBias::rows(std::int64_t first, std::int64_t n) const {
    if (whole.defined())
        return whole.narrow(1, first, n);
    const auto some = of->bias(queries.narrow(0, first, n), keys);
    return factor == 1 ? some : some * factor;
}

StackPositions::StackPositions(ParameterList& list, const std::string& stack, const NetworkConfig& config,
                               const StackConfig& stackConfig, Sees sees)
    : buckets_{.buckets = config.positionBuckets,
               .distance = config.positionDistance,
               .bothWays = sees == Sees::BothWays} {
    if (config.positions == PositionScheme::RelativeBuckets)
        table_ = list.add(stack + ".relative_bias", {config.positionBuckets, stackConfig.heads});
    if (config.positions != PositionScheme::Rotary)
        return;
    frequencies_ = rotationFrequencies(config.positionBase, config.rotation, stackConfig.headWidth);
    length_ = config.rotation.length;
    if (config.windowPositionBase > 0)
        windowFrequencies_ = rotationFrequencies(config.windowPositionBase, {.part = config.rotation.part},
                                                 stackConfig.headWidth);
}

at::Tensor StackPositions::places(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass) {
    constexpr std::int64_t anywhere = 1 << 24; // unlimited: there is no table
    const auto changed =
        pass.interventions ? pass.interventions->places(first, n, all, anywhere) : at::Tensor();
    return changed.defined() ? changed : at::arange(first, first + n, at::kLong);
}

AttentionPositions StackPositions::of(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass,
                                      Layers layers) const {
    AttentionPositions positions;
    if (!table_.defined() && !frequencies_.defined())
        return positions;
    const auto queries = places(first, n, all, pass);
    if (table_.defined()) {
        positions.bias = {.of = this,
                          .queries = queries,
                          .keys = first > 0 ? places(0, first + n, all, pass) : queries,
                          .factor = 1 / pass.temperature()};
        if (!pass.leavesOut(n, first + n)) // every layer uses it
            positions.bias.whole = positions.bias.rows(0, n);
    } else {
        const bool differ = layers == Layers::Windowed && windowFrequencies_.defined();
        const auto& frequencies = differ ? windowFrequencies_ : frequencies_;
        const auto length = differ ? 1 : length_;
        const auto angles = queries.clamp_min(0).to(at::kDouble).unsqueeze(1) * frequencies; // [n, pairs]
        positions.cosine = (angles.cos() * length).to(at::kFloat);
        positions.sine = (angles.sin() * length).to(at::kFloat);
    }
    return positions;
}

at::Tensor StackPositions::bias(const at::Tensor& queries, const at::Tensor& keys) const {
    if (!table_.defined())
        return {};
    const auto n = queries.size(0);
    const auto count = keys.size(0);
    const auto* const query = queries.data_ptr<std::int64_t>();
    const auto* const key = keys.data_ptr<std::int64_t>();
    const auto [nearest, farthest] = std::minmax_element(key, key + count);
    const auto lowest = n == 0 ? 0 : *nearest - *std::max_element(query, query + n);
    const auto highest = n == 0 ? 0 : *farthest - *std::min_element(query, query + n);
    std::vector<std::int64_t> byDistance; // table row by distance
    for (auto distance = lowest; distance <= highest; ++distance)
        byDistance.push_back(buckets_.of(distance));
    std::vector<std::int64_t> rows; // table row by query and key
    rows.reserve(static_cast<std::size_t>(n * count));
    const bool nowhere = n > 0 && query[0] < 0; // either all queries have positions or none
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < count; ++j)
            rows.push_back(byDistance[static_cast<std::size_t>(key[j] - query[i] - lowest)]);
    const auto values = at::embedding(table_, at::tensor(rows, at::kLong)); // [n * count, heads]
    const auto bias = values.view({n, count, table_.size(1)}).permute({2, 0, 1});
    return nowhere ? at::zeros_like(bias) : bias;
}

} // namespace headscope::network
