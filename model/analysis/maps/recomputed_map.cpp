#include "model/analysis/maps/recomputed_map.h"

#include "model/analysis/maps/map_kernels.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>
#include <span>
#include <thread>
#include <utility>

namespace headscope::analysis {

namespace {

using trace::AttentionRecord;

/// The distance biases of one head.
class HeadBias {
  public:
    HeadBias(const trace::RelativeBias& bias, std::size_t head) : bias_(bias) {
        const auto [least, most] = std::ranges::minmax_element(bias.keys);
        const auto [first, last] = std::ranges::minmax_element(bias.queries);
        lowest_ = *least - *last;
        for (auto distance = lowest_; distance <= *most - *first; ++distance) {
            const std::size_t bucket = bias.buckets.of(distance);
            const float value = bias.table[bucket * bias.heads + head];
            byDistance_.push_back(bias.factor == 1 ? value : value * static_cast<float>(bias.factor));
        }
    }

    void addTo(std::span<float> scores, std::size_t query) const {
        const auto place = bias_.queries[query];
        for (std::size_t key = 0; place >= 0 && key < scores.size(); ++key)
            scores[key] += byDistance_[bias_.keys[key] - place - lowest_];
    }

  private:
    const trace::RelativeBias& bias_;
    std::int64_t lowest_ = 0;
    std::vector<float> byDistance_;
};

/// Limits scores to c tanh(score / c); not at all if c is 0.
void cap(std::span<float> scores, double c) {
    if (c <= 0)
        return;
    const auto limit = static_cast<float>(c);
    for (float& score : scores)
        score = std::tanh(score / limit) * limit;
}

/// Turns a row of scores into weights. `open`, [keys], receives the row's mask.
void toWeights(const trace::RecomputeRecipe& rule, std::size_t head, std::size_t query, std::span<float> row,
               std::span<std::uint8_t> open) {
    const auto place = rule.firstQuery + query;
    const auto isMeant = [&](const auto& change) {
        return change.head.head == head && change.query == place;
    };
    rule.open->copyRow(query, open);
    std::vector<std::size_t> blocked;
    for (const auto& cell : rule.blocked)
        if (isMeant(cell) && cell.key < open.size() && open[cell.key]) {
            blocked.push_back(cell.key);
            open[cell.key] = 0;
        }
    kernels::softmaxRow(row.data(), open.data(), row.size(), static_cast<float>(rule.closedScore));
    for (const auto& forced : rule.forced)
        if (isMeant(forced))
            forceWeights(forced, row, open);
    for (const auto key : blocked) // records hold the model's original mask
        open[key] = 1;
}

/// One head of a record without stored maps. The record must outlive this object.
class NotStoredHead {
  public:
    NotStoredHead(const AttentionRecord& record, std::size_t head)
        : record_(record), rule_(*record.rule), head_(head), keys_(record.keys()), width_(record.q.columns()),
          panels_((keys_ + kernels::lanes - 1) / kernels::lanes * kernels::lanes * width_) {
        const auto k = record.k.head(head);
        for (std::size_t key = 0; key < keys_; ++key) {
            const auto row = k.row(key);
            for (std::size_t d = 0; d < width_; ++d)
                panels_[(key / kernels::lanes * width_ + d) * kernels::lanes + key % kernels::lanes] = row[d];
        }
        if (rule_.bias)
            bias_.emplace_back(*rule_.bias, head);
    }

    std::size_t queries() const { return record_.queries(); }
    std::size_t keys() const { return keys_; }

    /// Computes the scores of `rows` queries in steps of `every`, [rows, keys].
    void scores(std::size_t first, std::size_t rows, std::size_t every, float* to) const {
        const auto q = record_.q.head(head_);
        std::vector<float> chosen(rows * width_);
        for (std::size_t i = 0; i < rows; ++i)
            std::ranges::copy(q.row(first + i * every),
                              chosen.begin() + static_cast<std::ptrdiff_t>(i * width_));
        kernels::scoreRows(chosen.data(), rows, width_, panels_.data(), keys_,
                           static_cast<float>(rule_.scale), to);
        for (std::size_t i = 0; i < rows && !bias_.empty(); ++i)
            bias_.front().addTo({to + i * keys_, keys_}, first + i * every);
        cap({to, rows * keys_}, rule_.cap);
    }

  private:
    const AttentionRecord& record_;
    const trace::RecomputeRecipe& rule_;
    std::size_t head_;
    std::size_t keys_;
    std::size_t width_;
    std::vector<float> panels_;  ///< keys in the layout of the kernel
    std::vector<HeadBias> bias_; ///< at most one
};

constexpr std::size_t rowsTogether = 32; ///< rows between two checks of the stop token

/// Calls `compute(first, rows)` for blocks of all rows; on several threads if there are many rows, because
/// the user waits for the map.
template <class Compute>
void forBlocks(std::size_t rows, const trace::Task& work, const Compute& compute) {
    constexpr std::size_t worthMore = 1024;
    constexpr unsigned mostThreads = 4;
    std::atomic<std::size_t> begun = 0;
    const auto some = [&](bool tells) {
        for (;;) {
            const std::size_t first = begun.fetch_add(rowsTogether);
            if (first >= rows)
                return;
            if (tells)
                work.report(first, rows);
            else
                trace::throwIfStopped(work.stop());
            compute(first, std::min(rowsTogether, rows - first));
        }
    };
    const unsigned threads =
        rows < worthMore ? 1 : std::min(std::thread::hardware_concurrency(), mostThreads);
    std::vector<std::future<void>> others;
    for (unsigned thread = 1; thread < threads; ++thread)
        others.push_back(std::async(std::launch::async, some, false));
    some(true);
    for (auto& other : others)
        other.get();
}

bool hasHead(const AttentionRecord& record, std::size_t head) {
    return head < record.heads() && (!record.isRecomputed() || record.k.rows() == record.keys());
}

/// Computes a single row without building the panels needed for whole maps.
void scoresOfRow(const AttentionRecord& record, std::size_t head, std::size_t query, std::span<float> to) {
    const auto q = record.q.head(head).row(query);
    const auto k = record.k.head(head);
    for (std::size_t key = 0; key < to.size(); ++key) {
        const auto one = k.row(key);
        float sum = 0;
        for (std::size_t d = 0; d < q.size(); ++d)
            sum += q[d] * one[d];
        to[key] = sum * static_cast<float>(record.rule->scale);
    }
    if (record.rule->bias)
        HeadBias(*record.rule->bias, head).addTo(to, query);
    cap(to, record.rule->cap);
}

} // namespace

void forceWeights(const trace::ForceRow& forced, std::span<float> row, std::span<const std::uint8_t> open) {
    const auto count = std::ranges::count_if(open, [](auto cell) { return cell != 0; });
    const bool ofKey = forced.pattern == trace::RowPattern::Key;
    if (count == 0 || (ofKey && (forced.key >= open.size() || !open[forced.key])))
        return;
    if (forced.pattern == trace::RowPattern::Uniform) {
        for (std::size_t key = 0; key < row.size(); ++key)
            row[key] = open[key] ? 1.0F / static_cast<float>(count) : 0.0F;
        return;
    }
    const auto chosen = ofKey ? forced.key : std::ranges::max_element(row) - row.begin();
    std::ranges::fill(row, 0.0F);
    row[chosen] = 1;
}

bool lacksScores(const AttentionRecord& record) {
    return !record.isRecomputed() && record.scores.empty();
}

HeadRow headRow(const AttentionRecord& record, std::size_t head, std::size_t query) {
    if (!hasHead(record, head) || query >= record.queries())
        return {};
    HeadRow row{.open = record.allowedKeys(query)};
    if (!record.isRecomputed()) {
        const auto weights = record.weights.head(head).row(query);
        row.weights.assign(weights.begin(), weights.end());
        if (!lacksScores(record)) {
            const auto scores = record.scores.head(head).row(query);
            row.scores.assign(scores.begin(), scores.end());
        }
        return row;
    }
    row.scores.resize(record.keys());
    scoresOfRow(record, head, query, row.scores);
    row.weights = row.scores;
    toWeights(*record.rule, head, query, row.weights, row.open);
    return row;
}

std::optional<float> weightAt(const AttentionRecord& record, std::size_t head, std::size_t query,
                              std::size_t key) {
    if (!hasHead(record, head) || query >= record.queries() || key >= record.keys())
        return std::nullopt;
    return record.isRecomputed() ? headRow(record, head, query).weights[key]
                                 : record.weights(head, query, key);
}

trace::Matrix recomputedScores(const AttentionRecord& record, std::size_t head, const trace::Task& work) {
    const NotStoredHead map(record, head);
    trace::Matrix scores(map.queries(), map.keys());
    forBlocks(map.queries(), work, [&](std::size_t first, std::size_t rows) {
        map.scores(first, rows, 1, scores.values().data() + first * map.keys());
    });
    return scores;
}

trace::Matrix recomputedWeights(const AttentionRecord& record, std::size_t head, const trace::Task& work) {
    const NotStoredHead map(record, head);
    trace::Matrix weights(map.queries(), map.keys());
    forBlocks(map.queries(), work, [&](std::size_t first, std::size_t rows) {
        float* const to = weights.values().data() + first * map.keys();
        std::vector<std::uint8_t> open(map.keys());
        map.scores(first, rows, 1, to);
        for (std::size_t i = 0; i < rows; ++i)
            toWeights(*record.rule, head, first + i, {to + i * map.keys(), map.keys()}, open);
    });
    return weights;
}

trace::MaskMatrix maskOf(const AttentionRecord& record) {
    if (!record.isRecomputed())
        return record.mask;
    trace::MaskMatrix mask(record.queries(), record.keys());
    for (std::size_t query = 0; query < mask.rows(); ++query)
        record.rule->open->copyRow(query, {&mask(query, 0), mask.columns()});
    return mask;
}

AttentionRecord withWeightsOf(const AttentionRecord& record, std::size_t head, const trace::Task& work) {
    AttentionRecord one{.site = record.site, .mask = maskOf(record)};
    const auto rows = record.queries();
    const auto columns = record.keys();
    if (record.isRecomputed()) {
        auto weights = recomputedWeights(record, head, work);
        one.weights = {1, rows, columns, std::move(weights.values())};
        return one;
    }
    const auto own = record.weights.values().subspan(head * rows * columns, rows * columns);
    one.weights = {1, rows, columns, {own.begin(), own.end()}};
    return one;
}

AttentionRecord withMaps(const AttentionRecord& record, const trace::Task& work) {
    if (!record.isRecomputed())
        return record;
    AttentionRecord whole = record;
    whole.rule = nullptr;
    whole.mask = maskOf(record);
    std::vector<float> scores;
    std::vector<float> weights;
    for (std::size_t head = 0; head < record.heads(); ++head) {
        const auto ofScores = recomputedScores(record, head, work.part(2 * head, 2 * record.heads()));
        const auto ofWeights = recomputedWeights(record, head, work.part(2 * head + 1, 2 * record.heads()));
        scores.insert(scores.end(), ofScores.values().begin(), ofScores.values().end());
        weights.insert(weights.end(), ofWeights.values().begin(), ofWeights.values().end());
    }
    whole.scores = {record.heads(), record.queries(), record.keys(), std::move(scores)};
    whole.weights = {record.heads(), record.queries(), record.keys(), std::move(weights)};
    return whole;
}

PooledMap pooledWeights(const AttentionRecord& record, std::size_t head, std::size_t rows,
                        std::size_t columns, std::size_t every, const trace::Task& work) {
    const NotStoredHead map(record, head);
    const auto high = (map.queries() + rows - 1) / rows; // cells per pooled cell
    const auto wide = (map.keys() + columns - 1) / columns;
    PooledMap pooled{.values =
                         trace::Matrix((map.queries() + high - 1) / high, (map.keys() + wide - 1) / wide)};
    pooled.open = trace::MaskMatrix(pooled.values.rows(), pooled.values.columns());
    std::vector<float> row(rowsTogether * map.keys());
    std::vector<std::uint8_t> open(map.keys());
    for (std::size_t first = 0; first < map.queries(); first += rowsTogether * every) {
        work.report(first, map.queries());
        const auto count = std::min(rowsTogether, (map.queries() - first + every - 1) / every);
        map.scores(first, count, every, row.data());
        for (std::size_t i = 0; i < count; ++i) {
            const auto query = first + i * every;
            const std::span<float> one{row.data() + i * map.keys(), map.keys()};
            toWeights(*record.rule, head, query, one, open);
            kernels::poolRow(one.data(), open.data(), map.keys(), wide, &pooled.values(query / high, 0),
                             &pooled.open(query / high, 0));
        }
    }
    return pooled;
}

} // namespace headscope::analysis
