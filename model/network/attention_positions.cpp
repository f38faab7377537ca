#include "model/network/attention_positions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace headscope::network {

namespace {

/// Mixes divided and unchanged frequencies; `kept` is the share of the unchanged ones, [pairs].
at::Tensor mixed(const at::Tensor& frequencies, double factor, const at::Tensor& kept) {
    return frequencies / factor * (1 - kept) + frequencies * kept;
}

at::Tensor llama3(const at::Tensor& frequencies, const Rotation& rotation) {
    const auto rotations = frequencies * (rotation.originalLength / (2 * std::numbers::pi));
    const auto kept = ((rotations - rotation.low) / (rotation.high - rotation.low)).clamp(0, 1);
    return mixed(frequencies, rotation.factor, kept);
}

/// Pairs from the first to the last that turn `high` to `low` times within the original length change over
/// from kept to divided.
at::Tensor yarn(const at::Tensor& frequencies, const Rotation& rotation, double base, int width) {
    const auto pairThatTurns = [&](double rotations) {
        return width * std::log(rotation.originalLength / (rotations * 2 * std::numbers::pi)) /
               (2 * std::log(base));
    };
    const double first = std::max(std::floor(pairThatTurns(rotation.high)), 0.0);
    double last = std::min(std::ceil(pairThatTurns(rotation.low)), width - 1.0);
    if (first == last)
        last += 0.001; // as in the original, which avoids a division by zero so
    const auto pairs = at::arange(frequencies.size(0), at::kDouble);
    return mixed(frequencies, rotation.factor, 1 - ((pairs - first) / (last - first)).clamp(0, 1));
}

/// Returns the angle per position of each pair of dimensions of a head, [pairs] float64 radians: base^(-2i/d)
/// with d the dimensions that rotate (Su et al. 2021, section 3.2.2), changed as `rotation.scaling` says. The
/// formulas are those of Hugging Face's modeling_rope_utils.py.
at::Tensor rotationFrequencies(double base, const Rotation& rotation, int headWidth) {
    const auto width = rotation.widthIn(headWidth);
    const auto half = width / 2;
    const auto frequencies = at::exp(at::arange(half, at::kDouble) * (-std::log(base) / half));
    switch (rotation.scaling) {
    case RotationScaling::None:
    case RotationScaling::Dynamic:
        break;
    case RotationScaling::Linear:
        return frequencies / rotation.factor;
    case RotationScaling::Llama3:
        return llama3(frequencies, rotation);
    case RotationScaling::Yarn:
        return yarn(frequencies, rotation, base, width);
    case RotationScaling::Long:
        return frequencies / at::tensor(rotation.shares, at::kDouble);
    }
    return frequencies;
}

/// Returns what each head adds at distances 0, -1, -2, ..., [maximumPositions, heads]. Slopes are the powers
/// of 2^-(exponent / n) for n heads, the next power of two; of these every second one comes first (Press et
/// al. 2022, appendix A).
at::Tensor linearBiases(const NetworkConfig& config, std::int64_t heads) {
    std::int64_t powers = 1;
    while (powers < heads)
        powers *= 2;
    const auto slopes = at::exp2(at::arange(1, powers + 1, at::kDouble) * (-config.biasExponent / powers));
    const auto ofHeads =
        powers == heads
            ? slopes
            : at::cat({slopes.slice(0, 1, powers, 2), slopes.slice(0, 0, powers, 2)}).narrow(0, 0, heads);
    const auto distances = at::arange(config.maximumPositions, at::kDouble);
    return (-distances.unsqueeze(1) * ofHeads).to(at::kFloat);
}

/// Returns the bucket of a distance: near distances have one each, farther ones share buckets on a
/// logarithmic scale up to `span` in both directions. In single precision, as `make_log_bucket_position` of
/// transformers.
std::int64_t signedBucket(std::int64_t distance, std::int64_t span, int farthest) {
    const auto exact = span / 2;
    const auto away = std::abs(distance);
    if (away <= exact)
        return distance;
    const auto one = static_cast<float>(exact);
    const float share = std::log(static_cast<float>(away) / one) /
                        std::log(static_cast<float>(farthest - 1) / one) * static_cast<float>(exact - 1);
    const auto bucket = static_cast<std::int64_t>(std::ceil(share)) + exact;
    return distance > 0 ? bucket : -bucket;
}

} // namespace

at::Tensor AttentionPositions::turned(const at::Tensor& x) const {
    if (!cosine.defined())
        return x;
    const auto pairs = cosine.size(-1);
    const auto rest = x.narrow(-1, 2 * pairs, x.size(-1) - 2 * pairs);
    const int side = interleaved ? -1 : -2; // dimension of the two that are a pair
    const auto paired =
        x.narrow(-1, 0, 2 * pairs)
            .unflatten(-1, interleaved ? at::IntArrayRef{pairs, 2} : at::IntArrayRef{2, pairs});
    const auto one = paired.select(side, 0);
    const auto other = paired.select(side, 1);
    const auto turned = at::stack({one * cosine - other * sine, other * cosine + one * sine}, side);
    return rest.size(-1) == 0 ? turned.flatten(-2) : at::cat({turned.flatten(-2), rest}, -1);
}

at::Tensor ScoreBias::rows(std::int64_t first, std::int64_t n) const {
    if (whole.defined())
        return whole.narrow(1, first, n);
    const auto some = of->bias(queries.narrow(0, first, n), keys);
    return factor == 1 ? some : some * factor;
}

at::Tensor DistanceTerms::ofQueries() const {
    const auto heads = queryTimesKeys.size(0);
    return queryTimesKeys.gather(2, buckets.unsqueeze(0).expand({heads, -1, -1}));
}

at::Tensor DistanceTerms::ofKeys() const {
    const auto heads = keyTimesQueries.size(0);
    return keyTimesQueries.gather(2, buckets.t().unsqueeze(0).expand({heads, -1, -1})).transpose(1, 2);
}

StackPositions::StackPositions(ParameterList& list, const std::string& stack, const NetworkConfig& config,
                               const StackConfig& stackConfig, Sees sees)
    : buckets_{.buckets = config.positionBuckets,
               .distance = config.positionDistance,
               .bothWays = sees == Sees::BothWays} {
    if (config.hasRelativeBias())
        table_ = list.add(stack + ".relative_bias", {config.positionBuckets, stackConfig.heads});
    if (config.positions == PositionScheme::LinearBias) {
        buckets_ = {.buckets = static_cast<int>(config.maximumPositions), .distance = 0, .bothWays = false};
        table_ = linearBiases(config, stackConfig.heads);
    }
    if (config.positions == PositionScheme::Disentangled) {
        distances_ =
            list.add(stack + ".distances", {2 * config.positionBuckets, config.widthOf(stackConfig)});
        distanceNorm_.emplace(list, stack + ".distance_norm", config, stackConfig);
    }
    if (config.positions != PositionScheme::Rotary)
        return;
    frequencies_ = rotationFrequencies(config.positionBase, config.rotation, stackConfig.headWidth);
    length_ = config.rotation.length;
    interleaved_ = config.rotation.interleaved;
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
    if (!table_.defined() && !frequencies_.defined() && !distances_.defined())
        return positions;
    const auto queries = places(first, n, all, pass);
    if (distances_.defined())
        return disentangled(queries);
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
        positions.interleaved = interleaved_;
    }
    return positions;
}

AttentionPositions StackPositions::disentangled(const at::Tensor& places) const {
    AttentionPositions positions{.distances = (*distanceNorm_)(distances_)};
    const auto n = places.size(0);
    const auto* const place = places.data_ptr<std::int64_t>();
    if (n == 0 || place[0] < 0) // either all tokens have positions or none
        return positions;
    const std::int64_t span = buckets_.buckets;
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            rows.push_back(std::clamp<std::int64_t>(
                signedBucket(place[i] - place[j], span, buckets_.distance) + span, 0, 2 * span - 1));
    positions.buckets = at::tensor(rows, at::kLong).view({n, n});
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
    rows.reserve(n * count);
    const bool nowhere = n > 0 && query[0] < 0; // either all queries have positions or none
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < count; ++j)
            rows.push_back(byDistance[key[j] - query[i] - lowest]);
    const auto values = at::embedding(table_, at::tensor(rows, at::kLong)); // [n * count, heads]
    const auto bias = values.view({n, count, table_.size(1)}).permute({2, 0, 1});
    return nowhere ? at::zeros_like(bias) : bias;
}

} // namespace headscope::network
