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

/// One head's scores, and which of them its softmax sees. Looks at a run that somebody else keeps alive.
struct OpenScores {
    trace::MatrixView scores;            ///< [queries, keys] as the softmax is given them, before the mask
    trace::MaskMatrix open;              ///< [queries, keys] cells that were closed by hand are closed too
    std::vector<trace::ForceRow> forced; ///< rows whose weights a person replaced after the softmax
    std::vector<bool> padding;           ///< [queries] rows that no statistic counts
    std::shared_ptr<const trace::Matrix> again; ///< the scores, where the run left them out
};

/// Nothing where the run has no such head. Scores that it left out are computed again, which takes time:
/// throws trace::Cancelled.
std::optional<OpenScores> openScores(const trace::Run& run, const trace::HeadAddress& head,
                                     const trace::Task& work = {});

/// softmax(scores / temperature) of every row over its open keys, in double precision; closed cells are 0,
/// and so are rows without an open key. Rows that are forced have the weights they are forced to, at every
/// temperature. At temperature 1 these are the weights of the run.
trace::Matrix softmaxOf(const OpenScores& scores, double temperature);

/// Where hard attention looks: the largest open score, of equal ones the first. Nothing where no key is open.
std::optional<std::size_t> hardKey(std::span<const float> scores, std::span<const std::uint8_t> open);

/// Entropy of every row of weights, bits. Nothing for padding, and for rows where nothing can be chosen
/// because fewer than two keys are open.
std::vector<std::optional<double>> entropiesOfRows(const OpenScores& scores, const trace::Matrix& weights);

/// Mean of the rows that have one; nothing where none has.
std::optional<double> meanEntropy(const std::vector<std::optional<double>>& entropies);

/// The largest mean there can be: of rows spread evenly over their open keys.
std::optional<double> evenEntropy(const OpenScores& scores);

inline constexpr double lowestTemperature = 0.01; ///< below 1/sqrt(d_k) of every usual d_k
inline constexpr double highestTemperature = 10;

/// The rows' mean entropy over temperatures that stand evenly on a logarithmic axis, from the lowest to the
/// highest.
struct EntropyCurve {
    std::vector<double> temperatures;
    std::vector<double> entropies; ///< bits; empty where no row has one
    double even = 0;               ///< what they grow towards
};
EntropyCurve entropyOverTemperature(const OpenScores& scores, std::size_t points,
                                    const trace::Task& work = {});

} // namespace headscope::analysis
