#pragma once

#include "model/trace/run.h"
#include "model/trace/task.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// Statistics over the allowed cells, without padding rows.
struct ScoreSpread {
    std::size_t cells = 0;
    double mean = 0;
    double variance = 0; ///< mean squared distance from the mean
    double lowest = 0;
    double highest = 0;
    friend bool operator==(const ScoreSpread&, const ScoreSpread&) = default;
};

/// Returns the spread of the scores divided by a temperature; exact, without visiting the cells again.
ScoreSpread dividedBy(double temperature, const ScoreSpread& scores);

/// Spread of one head's products and scores.
struct HeadSpread {
    trace::HeadAddress head;
    ScoreSpread products; ///< q k^T, not scaled
    ScoreSpread scores;   ///< input of the softmax
};

/// Returns the spreads of all heads of a run, except heads without allowed cells or with scores that are not
/// finite; empty if the scores were multiplied by 0. Distance biases are part of the scores, not of the
/// products.
std::vector<HeadSpread> spreadOfHeads(const trace::Run& run, const trace::Task& work = {});

/// Histograms of scores over a common axis: scaled scores (input of the softmax), products q k^T without the
/// factor, and scaled scores divided by a temperature.
struct ScoresOnOneAxis {
    double lowest = 0;
    double highest = 0;
    double factor = 1;          ///< of q k^T
    bool hasBias = false;       ///< the scaled scores include distance biases
    double temperature = 1;     ///< of `divided`
    std::vector<double> scaled; ///< share of the cells in each bin; they sum to 1
    std::vector<double> products;
    std::vector<double> divided; ///< equals `scaled` at temperature 1
    ScoreSpread ofScaled;
    ScoreSpread ofProducts;
    ScoreSpread ofDivided;
};

/// Combines the cells of all `heads`. Has no cells if there is nothing to show. Reuses the spreads of
/// `known`, a result for the same heads and bins at another temperature.
ScoresOnOneAxis scoresOnOneAxis(const trace::Run& run, const std::vector<trace::HeadAddress>& heads,
                                std::size_t bins, const trace::Task& work = {}, double temperature = 1,
                                const ScoresOnOneAxis& known = {});

/// All heads of a run, in order.
std::vector<trace::HeadAddress> headsOf(const trace::Run& run);

/// Initialisation of the query and key projections. For inputs with independent components of mean 0 and
/// variance 1 it determines the variance of the components of q and k, and so that of q . k.
enum class Initialisation {
    Xavier,        ///< uniform, square matrices (Glorot and Bengio 2010): variance 1 per component
    StackedXavier, ///< torch.nn.MultiheadAttention's, one matrix [3 d_model, d_model]: 1/2
    TorchLinear,   ///< torch.nn.Linear's, uniform up to 1/sqrt(d_model): 1/3
};
inline constexpr std::array initialisations{Initialisation::Xavier, Initialisation::StackedXavier,
                                            Initialisation::TorchLinear};

/// Variance of q . k before training. For Xavier it is d_k, as for independent components of variance 1
/// (Vaswani et al. 2017, footnote of section 3.2.1).
double varianceAtFirst(Initialisation initialisation, int headWidth);

} // namespace headscope::analysis
