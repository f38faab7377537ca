#pragma once

#include "model/trace/score_terms.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Origin of a term of the scores. Mixed: the word on one side and the position on the other. Bias: one side
/// is independent of the token.
enum class ScoreOrigin { Content, Position, Mixed, Bias };
inline constexpr std::size_t scoreOrigins = 4;

ScoreOrigin originOf(const trace::ScoreTerm& term);

/// Returns the share of each term in the differences between one row's scores: Cov(term, score) / Var(score)
/// over the allowed keys. Shares add up to 1; a term that opposes the row has a negative share. Empty if
/// fewer than two keys are allowed or all scores are equal.
std::optional<std::vector<double>> rowShares(const trace::ScoreTerms& terms, std::size_t head,
                                             std::size_t row); // [terms]

/// Mean shares of one head, over rows that have shares and are not padding.
struct HeadScoreShares {
    std::vector<double> terms;                  ///< [terms]; sum to 1; empty if no row has shares
    std::array<double, scoreOrigins> origins{}; ///< by ScoreOrigin, sums over `terms`
    std::size_t rows = 0;                       ///< number of rows averaged
};

HeadScoreShares headScoreShares(const trace::ScoreTerms& terms, std::size_t head);

/// Subtracts from each row its mean over the allowed keys, which has no effect on the softmax: parts that are
/// constant along a row become 0. Masked cells become 0.
trace::Matrix centredRows(trace::MatrixView values, const trace::MaskMatrix& mask);

} // namespace headscope::analysis
