#include "model/network/multi_head_attention.h"

#include "model/network/one_query.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

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

at::Tensor capped(const at::Tensor& scores, double cap) {
    return cap > 0 ? (scores / cap).tanh() * cap : scores;
}

MultiHeadAttention::MultiHeadAttention(ParameterList& list, const std::string& role,
                                       const NetworkConfig& config, const StackConfig& stack)
    : heads_(stack.heads), sharedHeads_(stack.sharedHeads()), headWidth_(stack.headWidth),
      scoreScale_(stack.scoreScale), scoreCap_(config.scoreCap), maskFill_(fillValue(config.maskFill)),
      queryKeyNorm_(config.queryKeyNorm) {
    const auto width = config.widthOf(stack);
    const auto inner = heads_ * headWidth_;
    const auto shared = sharedHeads_ * headWidth_;
    const auto& biases = config.biases;
    struct Part {
        Linear& map;
        std::string role;
        std::int64_t rows;
    };
    const std::array<Part, 3> parts{
        {{query_, role + ".query", inner}, {key_, role + ".key", shared}, {value_, role + ".value", shared}}};
    for (const auto& part : parts) // all weights before the biases: training multiplies by them as by one
        part.map = Linear::build(list, part.role, width, part.rows, /*hasBias=*/false);
    for (const auto& part : parts)
        if (biases.queryKeyValue)
            part.map.bias = list.add(part.role + ".bias", {part.rows});
    output_ = Linear::build(list, role + ".output", inner, width, biases.attentionOutput);
    output_.factor = config.residualScale;
    if (queryKeyNorm_ == QueryKeyNorm::None)
        return;
    const bool isWhole = queryKeyNorm_ == QueryKeyNorm::Whole;
    queryNorm_.emplace(list, role + ".query_norm", config, stack.normEpsilon, isWhole ? inner : headWidth_);
    keyNorm_.emplace(list, role + ".key_norm", config, stack.normEpsilon, isWhole ? shared : headWidth_);
}

MultiHeadAttention::Projections MultiHeadAttention::project(const at::Tensor& x) const {
    return projections(applied({&query_, &key_, &value_}, x));
}

MultiHeadAttention::Projections MultiHeadAttention::projectLinearly(const at::Tensor& x) const {
    const Linear query{.weight = query_.weight}, key{.weight = key_.weight}, value{.weight = value_.weight};
    return projections(applied({&query, &key, &value}, x));
}

MultiHeadAttention::Projections
MultiHeadAttention::projections(const std::vector<at::Tensor>& projected) const {
    return {.q = normedHeads(queryNorm_, projected[0], heads_),
            .memory = dividedKeysValues(projected[1], projected[2])};
}

/// [n, heads * d_k] -> [heads, n, d_k]
at::Tensor MultiHeadAttention::divided(const at::Tensor& projected, std::int64_t heads) const {
    return projected.view({projected.size(0), heads, headWidth_}).transpose(0, 1);
}

/// Same after the norm, if there is one.
at::Tensor MultiHeadAttention::normedHeads(const std::optional<Norm>& norm, const at::Tensor& projected,
                                           std::int64_t heads) const {
    if (!norm)
        return divided(projected, heads);
    return queryKeyNorm_ == QueryKeyNorm::Whole ? divided((*norm)(projected), heads)
                                                : (*norm)(divided(projected, heads));
}

/// [n, shared heads * d_k] each -> [heads, n, d_k] each; shared keys and values are repeated for every query
/// head that uses them.
KeysValues MultiHeadAttention::dividedKeysValues(const at::Tensor& k, const at::Tensor& v) const {
    KeysValues both{.k = normedHeads(keyNorm_, k, sharedHeads_), .v = divided(v, sharedHeads_)};
    if (sharedHeads_ < heads_)
        for (auto* one : {&both.k, &both.v})
            *one = one->repeat_interleave(heads_ / sharedHeads_, 0);
    return both;
}

at::Tensor MultiHeadAttention::queries(const at::Tensor& x) const {
    return normedHeads(queryNorm_, query_(x), heads_);
}

KeysValues MultiHeadAttention::keysValues(const at::Tensor& x) const {
    const auto projected = applied({&key_, &value_}, x);
    return dividedKeysValues(projected[0], projected[1]);
}

ScoreBias MultiHeadAttention::disentangled(const AttentionPositions& positions, const at::Tensor& q,
                                           const at::Tensor& k, const Pass& pass) const {
    if (!positions.buckets.defined())
        return {};
    const auto scale = pass.scoreScale(scoreScale_);
    const auto keys = divided(key_(positions.distances), sharedHeads_);
    const auto queries = divided(query_(positions.distances), heads_);
    ScoreBias bias{.terms = {.buckets = positions.buckets,
                             .queryTimesKeys = at::bmm(q, keys.transpose(1, 2)) * scale,
                             .keyTimesQueries = at::bmm(k, queries.transpose(1, 2)) * scale}};
    bias.whole = bias.terms.ofQueries() + bias.terms.ofKeys();
    return bias;
}

struct MultiHeadAttention::Rows {
    at::Tensor q; // [heads, some queries, d_k]
    const KeysValues& memory;
    at::Tensor closed; // [some queries, keys] bool
    bool closesAny = false;
    at::Tensor bias; // [heads, some queries, keys]; undefined: none
    const SiteChanges* changes = nullptr;
    std::int64_t firstQuery = 0;
    double scale = 1;
    double cap = 0;
};

MultiHeadAttention::Attended MultiHeadAttention::attendRows(const Rows& rows) const {
    const auto& [k, v] = rows.memory;
    // The loops for one query record no gradients.
    const bool oneQuery = rows.q.size(1) == 1 && !rows.q.requires_grad() && !k.requires_grad();
    const auto* changes = rows.changes;
    const auto closed = changes ? changes->closed(rows.closed, heads_, rows.firstQuery) : rows.closed;
    auto scores = oneQuery ? scoresOfOneQuery(rows.q, k, rows.scale) // [heads, queries, keys]
                           : at::bmm(rows.q, k.transpose(1, 2)).mul_(rows.scale);
    if (rows.bias.defined())
        scores = scores + rows.bias;
    scores = capped(scores, rows.cap);
    const bool closesAny = changes || rows.closesAny;
    auto weights = (closesAny ? scores.masked_fill(closed, maskFill_) : scores).softmax(-1);
    if (changes)
        weights = changes->weights(weights, closed, rows.firstQuery);
    auto outputs = oneQuery ? outputsOfOneQuery(weights, v) // [heads, queries, d_k]
                            : at::bmm(weights, v);
    if (changes)
        outputs = changes->outputs(outputs, rows.firstQuery);
    return {.scores = scores, .weights = weights, .outputs = outputs};
}

at::Tensor MultiHeadAttention::attend(const at::Tensor& q, const KeysValues& memory,
                                      const AttentionMask& mask, trace::AttentionSite site,
                                      std::int64_t firstQuery, const Pass& pass,
                                      const ScoreBias& bias) const {
    constexpr std::int64_t mostCells = 1 << 22; // per part of a map that is not stored
    const auto queries = q.size(1);
    const auto keys = memory.k.size(1);
    const bool notStored = pass.leavesOut(queries, keys) && !bias.terms.defined(); // nothing recomputes them
    const auto some = notStored ? std::max<std::int64_t>(1, mostCells / (heads_ * keys)) : queries;
    const auto* changes = pass.changesAt(site);
    const auto scale = pass.scoreScale(scoreScale_);
    const auto cap = scoreCap_ / pass.temperature(); // the temperature divides capped scores
    const auto part = [&](const at::Tensor& of, int dimension, std::int64_t first) {
        return notStored ? of.narrow(dimension, first, std::min(some, queries - first)) : of;
    };
    Attended attended;
    std::vector<at::Tensor> outputs;
    if (notStored && pass.observer)
        pass.observer->report(); // the projections before this took long, too
    for (std::int64_t first = 0; first < queries; first += some) {
        attended = attendRows(
            {.q = part(q, 1, first),
             .memory = memory,
             .closed = part(mask.closed, 0, first),
             .closesAny = mask.closesAny,
             .bias = bias.defined() ? bias.rows(first, std::min(some, queries - first)) : at::Tensor(),
             .changes = changes,
             .firstQuery = firstQuery + first,
             .scale = scale,
             .cap = cap});
        outputs.push_back(attended.outputs);
        if (notStored && pass.observer)
            pass.observer->attentionRows({.mask = part(mask.open, 0, first), .weights = attended.weights});
    }
    if (notStored)
        attended = {.outputs = at::cat(outputs, 1)};
    if (pass.observer)
        pass.observer->attention({.site = site,
                                  .mask = mask.open,
                                  .scores = attended.scores,
                                  .weights = attended.weights,
                                  .q = q,
                                  .k = memory.k,
                                  .v = memory.v,
                                  .outputs = attended.outputs,
                                  .bias = bias,
                                  .changes = changes,
                                  .firstQuery = firstQuery,
                                  .scale = scale,
                                  .cap = cap,
                                  .closedScore = maskFill_});
    const auto written =
        output_(attended.outputs.transpose(0, 1).reshape({queries, -1})); // [queries, d_model]
    return pass.probe && pass.probe->site == site ? written + pass.probe->added : written;
}

} // namespace headscope::network
