#include "widgets/attention_lines.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

bool isHeadOf(const trace::AttentionRecord& record, int head) {
    return head >= 0 && static_cast<std::size_t>(head) < record.weights.heads();
}

/// Open cells of these rows and columns, in reading order. A weight that is not a number is no line.
std::vector<AttentionLine> openCells(const trace::AttentionRecord& record, const std::vector<int>& heads,
                                     std::optional<int> query, std::optional<int> key) {
    std::vector<AttentionLine> cells;
    const auto from = [](std::optional<int> only) { return only.value_or(0); };
    const auto to = [](std::optional<int> only, std::size_t count) {
        return std::min(only ? *only + 1 : static_cast<int>(count), static_cast<int>(count));
    };
    for (const int head : heads) {
        if (!isHeadOf(record, head))
            continue;
        const auto weights = record.weights.head(static_cast<std::size_t>(head));
        for (int q = from(query); q < to(query, weights.rows()); ++q)
            for (int k = from(key); k < to(key, weights.columns()); ++k) {
                const auto row = static_cast<std::size_t>(q);
                const auto column = static_cast<std::size_t>(k);
                if (record.mask(row, column) && weights(row, column) >= 0)
                    cells.push_back({q, k, head, weights(row, column)});
            }
    }
    return cells;
}

bool isWeaker(const AttentionLine& one, const AttentionLine& other) {
    return one.weight < other.weight;
}

} // namespace

StrongLines strongLines(const trace::AttentionRecord& record, const std::vector<int>& heads, double threshold,
                        std::size_t most) {
    StrongLines strong{.threshold = threshold};
    auto cells = openCells(record, heads, std::nullopt, std::nullopt);
    const auto weak = std::partition(cells.begin(), cells.end(), [&](const AttentionLine& line) {
        return static_cast<double>(line.weight) >= threshold;
    });
    auto end = weak;
    if (static_cast<std::size_t>(weak - cells.begin()) > most) {
        end = cells.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(cells.begin(), end, weak,
                         [](const auto& a, const auto& b) { return isWeaker(b, a); });
        // The weakest that is drawn: what is said of the others is then true.
        strong.threshold = std::min_element(cells.begin(), end, isWeaker)->weight;
    }
    double whole = 0;
    double left = 0;
    for (auto cell = cells.begin(); cell != cells.end(); ++cell) {
        whole += static_cast<double>(cell->weight);
        left += cell >= end ? static_cast<double>(cell->weight) : 0;
    }
    strong.leftOut = static_cast<std::size_t>(cells.end() - end);
    strong.weightLeftOut = whole > 0 ? left / whole : 0;
    cells.erase(end, cells.end());
    std::stable_sort(cells.begin(), cells.end(), isWeaker);
    strong.lines = std::move(cells);
    return strong;
}

std::vector<AttentionLine> linesOfToken(const trace::AttentionRecord& record, const std::vector<int>& heads,
                                        std::optional<int> query, std::optional<int> key, double threshold) {
    auto lines = openCells(record, heads, query, query ? std::nullopt : key);
    std::erase_if(lines,
                  [&](const AttentionLine& line) { return static_cast<double>(line.weight) < threshold; });
    std::stable_sort(lines.begin(), lines.end(), isWeaker);
    return lines;
}

} // namespace headscope::widgets
