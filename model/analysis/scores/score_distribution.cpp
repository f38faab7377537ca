#include "model/analysis/scores/score_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::analysis {

namespace {

using trace::AttentionRecord;

/// One head's scores and the input tokens of its rows.
struct HeadScores {
    const AttentionRecord& record;
    std::size_t head = 0;
    const std::vector<trace::Token>& queries;
};

template <class Visit>
void forAllowedCells(const HeadScores& of, Visit&& visit) {
    const auto scores = of.record.scores.head(of.head);
    const auto& mask = of.record.mask;
    for (std::size_t row = 0; row < mask.rows(); ++row)
        for (std::size_t key = 0; key < mask.columns() && !trace::isPadding(of.queries, row); ++key)
            if (mask(row, key))
                visit(scores(row, key));
}

/// Computes the shares per bin between `lowest` and `highest`, and the standard deviation.
void count(const HeadScores& scores, double lowest, double highest, ScoreDistribution& distribution) {
    auto& shares = distribution.shares;
    const double width = (highest - lowest) / static_cast<double>(shares.size());
    double sum = 0, squares = 0;
    forAllowedCells(scores, [&](float score) {
        const auto bin = width > 0 ? static_cast<std::size_t>((score - lowest) / width) : 0;
        ++shares[std::min(bin, shares.size() - 1)];
        sum += score;
        ++distribution.cells;
    });
    const auto cells = static_cast<double>(distribution.cells);
    forAllowedCells(scores, [&](float score) { squares += std::pow(score - sum / cells, 2); });
    distribution.standardDeviation = std::sqrt(squares / cells);
    for (double& share : shares)
        share /= cells;
}

} // namespace

ScoreComparison compareScores(const AttentionRecord& before, const AttentionRecord& after, std::size_t head,
                              std::size_t bins, const std::vector<trace::Token>& queries) {
    if (head >= before.scores.heads() || head >= after.scores.heads() || bins == 0)
        return {};
    ScoreComparison compared{.lowest = std::numeric_limits<double>::infinity(),
                             .highest = -std::numeric_limits<double>::infinity()};
    bool finite = true;
    for (const auto* record : {&before, &after}) {
        const double highest = compared.highest;
        compared.highest = -std::numeric_limits<double>::infinity();
        forAllowedCells({*record, head, queries}, [&](float score) {
            finite = finite && std::isfinite(score);
            compared.lowest = std::min<double>(compared.lowest, score);
            compared.highest = std::max<double>(compared.highest, score);
        });
        finite = finite && std::isfinite(compared.highest); // infinite if no cell is allowed
        compared.highest = std::max(compared.highest, highest);
    }
    if (!finite)
        return {};
    compared.before.shares.resize(bins);
    compared.after.shares.resize(bins);
    count({before, head, queries}, compared.lowest, compared.highest, compared.before);
    count({after, head, queries}, compared.lowest, compared.highest, compared.after);
    return compared;
}

} // namespace headscope::analysis
