#include "widgets/views/lines/attention_lines.h"

#include "model/analysis/maps/recomputed_map.h"

#include <algorithm>
#include <span>

namespace headscope::widgets {

namespace {

bool isHeadOf(const trace::AttentionRecord& record, int head) {
    return head >= 0 && static_cast<std::size_t>(head) < record.heads();
}

/// Visits the allowed cells of a row in order. Skips NaN.
template <class Visit>
void forAllowedCells(std::span<const float> weights, std::span<const std::uint8_t> open, Visit&& visit) {
    for (std::size_t key = 0; key < weights.size(); ++key)
        if (open[key] && weights[key] >= 0)
            visit(static_cast<int>(key), weights[key]);
}

/// Allowed cells of these rows and columns, row by row.
std::vector<AttentionLine> allowedCells(const trace::AttentionRecord& record, const std::vector<int>& heads,
                                        std::optional<int> query, std::optional<int> key) {
    std::vector<AttentionLine> cells;
    const int first = query.value_or(0);
    const int end =
        std::min(query ? *query + 1 : static_cast<int>(record.queries()), static_cast<int>(record.queries()));
    for (const int head : heads)
        for (int q = first; q < end && isHeadOf(record, head); ++q) {
            const std::size_t h = head;
            const std::size_t row = q;
            const auto take = [&](int k, float weight) {
                if (!key || k == *key)
                    cells.push_back({q, k, head, weight});
            };
            if (record.isRecomputed()) {
                const auto again = analysis::headRow(record, h, row);
                forAllowedCells(again.weights, again.open, take);
            } else {
                forAllowedCells(record.weights.head(h).row(row), record.mask.row(row), take);
            }
        }
    return cells;
}

bool isWeaker(const AttentionLine& one, const AttentionLine& other) {
    return one.weight < other.weight;
}

/// Keeps the strongest `most` lines. Returns the total weight of the others.
double leaveStrongest(std::vector<AttentionLine>& lines, std::size_t most) {
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(lines.begin(), end, lines.end(),
                     [](const auto& a, const auto& b) { return isWeaker(b, a); });
    double left = 0;
    for (auto line = end; line != lines.end(); ++line)
        left += static_cast<double>(line->weight);
    lines.erase(end, lines.end());
    return left;
}

} // namespace

StrongLines strongLines(const trace::AttentionRecord& record, const std::vector<int>& heads, double threshold,
                        std::size_t most, const trace::Task& work) {
    StrongLines strong{.threshold = threshold};
    std::vector<AttentionLine> cells;
    double whole = 0;
    double left = 0;
    bool anyMore = false; // some lines at or above `threshold` are hidden
    const std::size_t together = 4 * most + 100'000;
    const auto leaveOut = [&] {
        strong.leftOut += cells.size() - most;
        left += leaveStrongest(cells, most);
        anyMore = true;
    };
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const int head = heads[h];
        if (!isHeadOf(record, head))
            continue;
        const auto ofHead = work.part(h, heads.size());
        const auto one = analysis::withWeightsOf(record, head, ofHead.between(0, 0.8));
        const auto weights = one.weights.head(0);
        const auto counting = ofHead.between(0.8, 1);
        for (std::size_t query = 0; query < weights.rows(); ++query) {
            counting.report(query, weights.rows());
            forAllowedCells(weights.row(query), one.mask.row(query), [&](int key, float weight) {
                whole += static_cast<double>(weight);
                if (static_cast<double>(weight) >= threshold)
                    return cells.push_back({static_cast<int>(query), key, head, weight});
                left += static_cast<double>(weight);
                ++strong.leftOut;
            });
            if (cells.size() > together) // a cell weaker than `most` others is never drawn
                leaveOut();
        }
    }
    if (cells.size() > most)
        leaveOut();
    if (anyMore) // the weakest drawn line, to match the counts of hidden ones
        strong.threshold = std::ranges::min_element(cells, isWeaker)->weight;
    strong.weightLeftOut = whole > 0 ? left / whole : 0;
    std::stable_sort(cells.begin(), cells.end(), isWeaker);
    strong.lines = std::move(cells);
    return strong;
}

std::vector<AttentionLine> linesOfToken(const trace::AttentionRecord& record, const std::vector<int>& heads,
                                        std::optional<int> query, std::optional<int> key, double threshold) {
    if (record.isRecomputed() && !query)
        return {};
    auto lines = allowedCells(record, heads, query, query ? std::nullopt : key);
    std::erase_if(lines,
                  [&](const AttentionLine& line) { return static_cast<double>(line.weight) < threshold; });
    std::stable_sort(lines.begin(), lines.end(), isWeaker);
    return lines;
}

} // namespace headscope::widgets
