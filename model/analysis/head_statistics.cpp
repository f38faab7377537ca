#include "model/analysis/head_statistics.h"

#include <algorithm>

namespace headscope::analysis {

using trace::AttentionKind;
using trace::HeadAddress;
using trace::TokenRole;

double confidence(const trace::AttentionRecord& record, std::size_t head,
                  const std::vector<trace::Token>& queries, const std::vector<trace::Token>& keys) {
    double sum = 0;
    std::size_t rows = 0;
    for (std::size_t query = 0; query < record.mask.rows(); ++query) {
        const auto open = record.mask.row(query);
        const bool anyOpen = std::any_of(open.begin(), open.end(), [](auto cell) { return cell != 0; });
        if (!anyOpen || queries[query].role == TokenRole::Padding)
            continue;
        float largest = 0;
        const auto weights = record.weights.head(head).row(query);
        for (std::size_t key = 0; key < weights.size(); ++key)
            if (!isSpecial(keys[key].role))
                largest = std::max(largest, weights[key]);
        sum += largest;
        ++rows;
    }
    return rows == 0 ? 0 : sum / static_cast<double>(rows);
}

HeadAddress bestAligningHead(const trace::Run& run) {
    HeadAddress best{{AttentionKind::EncoderSelf, 0}, 0};
    double highest = -1;
    for (const auto& record : run.cross)
        for (std::size_t head = 0; head < record.weights.heads(); ++head) {
            const double value = confidence(record, head, run.queryTokens(AttentionKind::Cross), run.source);
            if (value > highest) {
                highest = value;
                best = {record.site, static_cast<int>(head)};
            }
        }
    return best;
}

} // namespace headscope::analysis
