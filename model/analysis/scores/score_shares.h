#pragma once

#include "model/trace/score_terms.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// What a term of the scores goes back to. Mixed: one side's word and the other's position. Bias: a part
/// that no token brings, on either side.
enum class ScoreOrigin { Content, Position, Mixed, Bias };
inline constexpr std::size_t scoreOrigins = 4;

ScoreOrigin originOf(const trace::ScoreTerm& term);

/// How much each term makes of the differences between one row's scores: Cov(term, score) / Var(score) over
/// the open keys. They add to 1; one is negative where it works against the row. Nothing where fewer than two
/// keys are open or all scores are the same.
std::optional<std::vector<double>> rowShares(const trace::ScoreTerms& terms, std::size_t head,
                                             std::size_t row); // [terms]

/// Of one head, means over the rows that have shares and whose query is no padding.
struct HeadScoreShares {
    std::vector<double> terms;                  ///< [terms]; they add to 1; empty where no row has any
    std::array<double, scoreOrigins> origins{}; ///< by ScoreOrigin, sums over `terms`
    std::size_t rows = 0;                       ///< that were averaged
};

HeadScoreShares headScoreShares(const trace::ScoreTerms& terms, std::size_t head);

/// The values less each row's mean over its open keys, which the softmax does not see: what is constant along
/// a row becomes 0. Closed cells become 0.
trace::Matrix centredRows(trace::MatrixView values, const trace::MaskMatrix& mask);

} // namespace headscope::analysis
