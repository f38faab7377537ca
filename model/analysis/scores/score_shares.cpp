#include "model/analysis/scores/score_shares.h"

#include <cassert>
#include <cmath>

namespace headscope::analysis {

namespace {

using trace::ScorePart;

/// Mean over the allowed keys.
double meanOfRow(std::span<const float> values, std::span<const std::uint8_t> open) {
    double sum = 0;
    std::size_t keys = 0;
    for (std::size_t key = 0; key < values.size(); ++key)
        if (open[key]) {
            sum += values[key];
            ++keys;
        }
    return keys > 0 ? sum / static_cast<double>(keys) : 0;
}

/// Sum over the allowed keys of the product of both deviations from the mean.
double coproduct(std::span<const float> one, std::span<const float> other,
                 std::span<const std::uint8_t> open) {
    const double meanOfOne = meanOfRow(one, open);
    const double meanOfOther = meanOfRow(other, open);
    double sum = 0;
    for (std::size_t key = 0; key < one.size(); ++key)
        if (open[key])
            sum += (one[key] - meanOfOne) * (other[key] - meanOfOther);
    return sum;
}

} // namespace

ScoreOrigin originOf(const trace::ScoreTerm& term) {
    if (!term.product)
        return ScoreOrigin::Position;
    const auto [query, key] = *term.product;
    if (query == ScorePart::Bias || key == ScorePart::Bias)
        return ScoreOrigin::Bias;
    if (query != key)
        return ScoreOrigin::Mixed;
    return query == ScorePart::Position ? ScoreOrigin::Position : ScoreOrigin::Content;
}

std::optional<std::vector<double>> rowShares(const trace::ScoreTerms& terms, std::size_t head,
                                             std::size_t row) {
    const auto open = terms.mask.row(row);
    const auto scores = terms.scores.head(head).row(row);
    const double variation = coproduct(scores, scores, open);
    if (!(variation > 0) || !std::isfinite(variation))
        return std::nullopt;
    std::vector<double> shares;
    double sum = 0;
    for (const auto& term : terms.terms) {
        shares.push_back(coproduct(term.values.head(head).row(row), scores, open) / variation);
        sum += shares.back();
    }
    // If scores differ by rounding errors only, they count as equal; the shares would not sum to 1.
    return std::abs(sum - 1) < 0.01 ? std::optional(std::move(shares)) : std::nullopt;
}

HeadScoreShares headScoreShares(const trace::ScoreTerms& terms, std::size_t head) {
    HeadScoreShares found;
    std::vector<double> sums(terms.terms.size());
    for (std::size_t row = 0; row < terms.scores.rows(); ++row) {
        const bool isPadding =
            row < terms.tokens.size() && terms.tokens[row].role == trace::TokenRole::Padding;
        const auto shares = isPadding ? std::nullopt : rowShares(terms, head, row);
        if (!shares)
            continue;
        for (std::size_t term = 0; term < sums.size(); ++term)
            sums[term] += (*shares)[term];
        ++found.rows;
    }
    if (found.rows == 0)
        return found;
    for (std::size_t term = 0; term < sums.size(); ++term) {
        found.terms.push_back(sums[term] / static_cast<double>(found.rows));
        found.origins[static_cast<std::size_t>(originOf(terms.terms[term]))] += found.terms.back();
    }
    return found;
}

trace::Matrix centredRows(trace::MatrixView values, const trace::MaskMatrix& mask) {
    assert(values.rows() == mask.rows() && values.columns() == mask.columns());
    trace::Matrix centred(values.rows(), values.columns());
    for (std::size_t row = 0; row < values.rows(); ++row) {
        const auto open = mask.row(row);
        const double mean = meanOfRow(values.row(row), open);
        for (std::size_t key = 0; key < values.columns(); ++key)
            if (open[key])
                centred(row, key) = static_cast<float>(values(row, key) - mean);
    }
    return centred;
}

} // namespace headscope::analysis
