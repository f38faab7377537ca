#include "model/analysis/heads/head_similarity.h"

#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::analysis {

namespace {

using Group = std::vector<std::size_t>;

constexpr std::size_t mostRows = 64; ///< maximum number of rows compared if maps are not stored

std::vector<MapRow> rowsWithAChoice(const trace::Run& run, const trace::AttentionRecord& record,
                                    std::size_t head) {
    auto rows = validRows(record, head, fedTokens(run, record.site.kind));
    std::erase_if(rows, [](const MapRow& row) { return row.allowedKeys < 2; });
    return rows;
}

/// Recomputes every n-th row of a head whose map is not stored; `kept` owns the rows.
std::vector<MapRow> someRowsWithAChoice(const trace::Run& run, const trace::AttentionRecord& record,
                                        std::size_t head, std::size_t every, std::deque<HeadRow>& kept) {
    const auto& queries = fedTokens(run, record.site.kind);
    std::vector<MapRow> rows;
    for (std::size_t query = 0; query < record.queries(); query += every) {
        if (queries[query].role == trace::TokenRole::Padding)
            continue;
        auto row = headRow(record, head, query);
        row.scores = {};
        const auto open =
            static_cast<std::size_t>(std::ranges::count_if(row.open, [](auto cell) { return cell != 0; }));
        if (open < 2 || std::ranges::any_of(row.weights, [](float weight) { return std::isnan(weight); }))
            continue;
        const auto& own = kept.emplace_back(std::move(row));
        rows.push_back({.query = query, .weights = own.weights, .open = own.open, .allowedKeys = open});
    }
    return rows;
}

/// Mean over the rows that both have; NaN if there are none.
double meanDivergence(const std::vector<MapRow>& first, const std::vector<MapRow>& second) {
    double sum = 0;
    std::size_t count = 0;
    for (auto one = first.begin(), other = second.begin(); one != first.end() && other != second.end();) {
        if (one->query != other->query) {
            one->query < other->query ? ++one : ++other;
            continue;
        }
        sum += jensenShannon(one->weights, other->weights);
        ++count;
        ++one;
        ++other;
    }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

double meanBetween(const trace::Matrix& values, const Group& first, const Group& second) {
    double sum = 0;
    for (const auto one : first)
        for (const auto other : second)
            sum += values(one, other);
    return sum / static_cast<double>(first.size() * second.size());
}

/// Mean over all pairs in a group.
double meanWithin(const trace::Matrix& values, const Group& group) {
    double sum = 0;
    for (const auto one : group)
        for (const auto other : group)
            sum += values(one, other); // 0 for a head and itself
    return sum / static_cast<double>(group.size() * (group.size() - 1));
}

} // namespace

double jensenShannon(std::span<const float> first, std::span<const float> second) {
    double bits = 0;
    for (std::size_t key = 0; key < first.size(); ++key) {
        const double one = first[key];
        const double other = second[key];
        const double between = (one + other) / 2;
        if (one > 0)
            bits += one * std::log2(one / between) / 2;
        if (other > 0)
            bits += other * std::log2(other / between) / 2;
    }
    return std::clamp(bits, 0.0, 1.0); // rounding
}

DivergenceSteps::DivergenceSteps(std::shared_ptr<const trace::Run> run, trace::AttentionKind kind,
                                 std::stop_token stop)
    : run_(std::move(run)) {
    for (int layer = 0; const auto* record = run_->record({kind, layer}); ++layer) {
        if (record->isRecomputed())
            divergences_.everyRow = (record->queries() + mostRows - 1) / mostRows;
        for (std::size_t head = 0; head < record->heads(); ++head) {
            trace::throwIfStopped(stop);
            divergences_.heads.push_back({{kind, layer}, head});
            rows_.push_back(record->isRecomputed()
                                ? someRowsWithAChoice(*run_, *record, head, divergences_.everyRow, *again_)
                                : rowsWithAChoice(*run_, *record, head));
        }
    }
    divergences_.values = trace::Matrix(rows_.size(), rows_.size());
}

bool DivergenceSteps::goOn(std::chrono::milliseconds time) {
    const auto begin = std::chrono::steady_clock::now();
    while (one_ + 1 < rows_.size()) {
        const auto value = static_cast<float>(meanDivergence(rows_[one_], rows_[other_]));
        divergences_.values(one_, other_) = divergences_.values(other_, one_) = value;
        ++done_;
        if (++other_ == rows_.size()) {
            ++one_;
            other_ = one_ + 1;
        }
        if (std::chrono::steady_clock::now() - begin >= time)
            break;
    }
    return one_ + 1 >= rows_.size();
}

HeadDivergences headDivergences(const trace::Run& run, trace::AttentionKind kind) {
    // A non-owning pointer is safe, because `steps` does not outlive `run`.
    DivergenceSteps steps(std::shared_ptr<const trace::Run>(std::shared_ptr<void>(), &run), kind);
    while (!steps.goOn(std::chrono::hours(1)))
        ;
    return steps.divergences();
}

std::optional<double> divergenceOfHeads(const trace::Run& run, const trace::HeadAddress& first,
                                        const trace::HeadAddress& second) {
    if (first.site.kind != second.site.kind)
        return std::nullopt;
    std::vector<trace::AttentionRecord> maps; // own the data that the rows refer to
    for (const auto& head : {first, second}) {
        const auto* record = run.recordOf(head);
        if (!record)
            return std::nullopt;
        maps.push_back(withWeightsOf(*record, head.head));
    }
    const double divergence =
        meanDivergence(rowsWithAChoice(run, maps[0], 0), rowsWithAChoice(run, maps[1], 0));
    return std::isnan(divergence) ? std::nullopt : std::optional(divergence);
}

std::vector<std::vector<std::size_t>> similarHeads(const HeadDivergences& divergences, double threshold) {
    std::vector<Group> groups;
    for (std::size_t head = 0; head < divergences.heads.size(); ++head)
        groups.push_back({head});
    while (true) {
        double nearest = threshold;
        std::size_t into = 0;
        std::size_t from = 0;
        for (std::size_t one = 0; one < groups.size(); ++one)
            for (std::size_t other = one + 1; other < groups.size(); ++other)
                if (const double between = meanBetween(divergences.values, groups[one], groups[other]);
                    between < nearest) {
                    nearest = between;
                    into = one;
                    from = other;
                }
        if (from == 0)
            break;
        groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(from));
    }
    for (auto& group : groups)
        std::ranges::sort(group);
    std::ranges::sort(groups);
    return groups;
}

HeadGroups groupedHeads(const HeadDivergences& divergences, double threshold) {
    HeadGroups groups;
    for (const Group& group : similarHeads(divergences, threshold)) {
        if (group.size() == 1) {
            groups.alone.push_back(divergences.heads[group.front()]);
            continue;
        }
        HeadGroup alike{.divergence = meanWithin(divergences.values, group)};
        for (const auto head : group)
            alike.heads.push_back(divergences.heads[head]);
        groups.alike.push_back(std::move(alike));
    }
    std::ranges::stable_sort(groups.alike, [](const HeadGroup& one, const HeadGroup& other) {
        return std::pair(other.heads.size(), one.divergence) < std::pair(one.heads.size(), other.divergence);
    });
    return groups;
}

} // namespace headscope::analysis
