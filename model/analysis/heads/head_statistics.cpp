#include "model/analysis/heads/head_statistics.h"

#include "model/analysis/heads/row_entropy.h"
#include "model/analysis/maps/map_rows.h"
#include "model/analysis/maps/recomputed_map.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

using trace::AttentionKind;
using trace::HeadAddress;
using trace::TokenRole;

namespace {

/// Number of keys allowed for a query; 0 for padding.
std::size_t allowedKeys(const trace::AttentionRecord& record, std::size_t query,
                        const std::vector<trace::Token>& queries) {
    const auto open = record.mask.row(query);
    return queries[query].role == TokenRole::Padding
               ? 0
               : static_cast<std::size_t>(
                     std::count_if(open.begin(), open.end(), [](auto cell) { return cell != 0; }));
}

} // namespace

double confidence(const trace::AttentionRecord& record, std::size_t head,
                  const std::vector<trace::Token>& queries, const std::vector<trace::Token>& keys) {
    double sum = 0;
    std::size_t rows = 0;
    for (std::size_t query = 0; query < record.mask.rows(); ++query) {
        if (allowedKeys(record, query, queries) == 0)
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

HeadEntropy entropy(const trace::AttentionRecord& record, std::size_t head,
                    const std::vector<trace::Token>& queries) {
    HeadEntropy sum;
    std::size_t rows = 0;
    for (const auto& row : validRows(record, head, queries)) {
        if (row.allowedKeys < 2)
            continue;
        sum.mean += rowEntropy(row.weights);
        sum.largest += std::log2(static_cast<double>(row.allowedKeys));
        ++rows;
    }
    if (rows == 0)
        return {};
    return {.mean = sum.mean / static_cast<double>(rows), .largest = sum.largest / static_cast<double>(rows)};
}

std::optional<EntropyComparison> compareEntropy(const trace::Run& first, const trace::Run& second,
                                                const HeadAddress& head) {
    const auto* one = first.recordOf(head);
    const auto* other = second.recordOf(head);
    if (!one || !other)
        return std::nullopt;
    const auto entropyOf = [&](const trace::AttentionRecord& record, const trace::Run& run) {
        return entropy(withWeightsOf(record, head.head), 0, run.queryTokens(head.site.kind));
    };
    return EntropyComparison{
        .head = head, .first = entropyOf(*one, first), .second = entropyOf(*other, second)};
}

HeadAddress bestAligningHead(const trace::Run& run, std::stop_token stop) {
    // A run may have decoder maps only, such as a trace of a language model.
    const bool decoderOnly = run.encoder.empty() && run.cross.empty() && !run.decoder.empty();
    HeadAddress best{{decoderOnly ? AttentionKind::DecoderSelf : AttentionKind::EncoderSelf, 0}, 0};
    double highest = -1;
    for (const auto& record : run.cross)
        for (std::size_t head = 0; head < record.heads(); ++head) {
            const auto& queries = run.queryTokens(AttentionKind::Cross);
            const double value = record.isRecomputed()
                                     ? confidence(withWeightsOf(record, head, stop), 0, queries, run.source)
                                     : confidence(record, head, queries, run.source);
            if (value > highest) {
                highest = value;
                best = {record.site, head};
            }
        }
    return best;
}

} // namespace headscope::analysis
