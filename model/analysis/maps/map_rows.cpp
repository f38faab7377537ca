#include "model/analysis/maps/map_rows.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

std::vector<MapRow> validRows(const trace::AttentionRecord& record, std::size_t head,
                              const std::vector<trace::Token>& queries) {
    std::vector<MapRow> rows;
    const auto map = record.weights.head(head);
    for (std::size_t query = 0; query < record.mask.rows(); ++query) {
        if (queries[query].role == trace::TokenRole::Padding)
            continue;
        MapRow row{.query = query, .weights = map.row(query), .open = record.mask.row(query)};
        row.allowedKeys =
            static_cast<std::size_t>(std::ranges::count_if(row.open, [](auto cell) { return cell != 0; }));
        const bool isKnown =
            std::ranges::none_of(row.weights, [](float weight) { return std::isnan(weight); });
        if (row.allowedKeys > 0 && isKnown)
            rows.push_back(row);
    }
    return rows;
}

} // namespace headscope::analysis
