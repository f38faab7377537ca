#pragma once

#include "model/trace/run.h"
#include "model/trace/task.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope::analysis {

/// The scores and the mask of one head. May refer to the run, which must outlive it.
struct OpenScores {
    trace::MatrixView scores;                   ///< [queries, keys] scaled, before the mask
    trace::MaskMatrix open;                     ///< [queries, keys] including cells masked by interventions
    std::vector<trace::ForceRow> forced;        ///< rows whose weights are replaced after the softmax
    std::vector<bool> padding;                  ///< [queries] padding rows, which no statistic counts
    std::shared_ptr<const trace::Matrix> again; ///< owns the scores if they were recomputed
};

/// Empty if the run has no such head. Scores that are not stored are recomputed, which takes time: throws
/// trace::Cancelled.
std::optional<OpenScores> openScores(const trace::Run& run, const trace::HeadAddress& head,
                                     const trace::Task& work = {});

/// Returns softmax(scores / temperature) of every row over its allowed keys, computed in double precision.
/// Masked cells and rows without an allowed key are 0. Forced rows keep their forced weights at every
/// temperature. At temperature 1 the result equals the weights of the run.
trace::Matrix softmaxOf(const OpenScores& scores, double temperature);

/// Returns the first key with the largest allowed score (hard attention); empty if no key is allowed.
std::optional<std::size_t> hardKey(std::span<const float> scores, std::span<const std::uint8_t> open);

/// Returns the entropy of every row in bits; empty for padding and for fewer than two allowed keys.
std::vector<std::optional<double>> entropiesOfRows(const OpenScores& scores, const trace::Matrix& weights);

/// Returns the mean over rows that have an entropy; empty if there are none.
std::optional<double> meanEntropy(const std::vector<std::optional<double>>& entropies);

/// Returns the maximum of the mean entropy: that of uniform attention over the allowed keys.
std::optional<double> evenEntropy(const OpenScores& scores);

inline constexpr double lowestTemperature = 0.01; ///< below 1/sqrt(d_k) of every usual d_k
inline constexpr double highestTemperature = 10;

/// Mean entropy over temperatures, logarithmically spaced from lowestTemperature to highestTemperature.
struct EntropyCurve {
    std::vector<double> temperatures;
    std::vector<double> entropies; ///< bits; empty if no row has an entropy
    double even = 0;               ///< limit for high temperatures: entropy of uniform attention
};
EntropyCurve entropyOverTemperature(const OpenScores& scores, std::size_t points,
                                    const trace::Task& work = {});

} // namespace headscope::analysis
