#pragma once

#include "model/trace/run.h"
#include "model/trace/task.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// Of the cells that the softmax sees, without rows of padding.
struct ScoreSpread {
    std::size_t cells = 0;
    double mean = 0;
    double variance = 0; ///< mean squared distance from the mean
    double lowest = 0;
    double highest = 0;
    friend bool operator==(const ScoreSpread&, const ScoreSpread&) = default;
};

/// The same scores, all divided by a temperature: exact, as nothing is counted again.
ScoreSpread dividedBy(double temperature, const ScoreSpread& scores);

/// One head's q k^T, before it is multiplied by anything, and what the softmax is given of it.
struct HeadSpread {
    trace::HeadAddress head;
    ScoreSpread products;
    ScoreSpread scores;
};

/// Every head of a run. Those without an open cell are left out, as are those whose scores are not finite;
/// empty where the scores were multiplied by 0. What a model adds to scores by distance is no part of the
/// products, but of the scores.
std::vector<HeadSpread> spreadOfHeads(const trace::Run& run, const trace::Task& work = {});

/// Scores over one axis: as the softmax is given them, without the factor that q k^T is multiplied by, and
/// divided by a temperature.
struct ScoresOnOneAxis {
    double lowest = 0;
    double highest = 0;
    double factor = 1;          ///< of q k^T
    bool hasBias = false;       ///< the scores hold what the distance adds, too
    double temperature = 1;     ///< that `divided` is of
    std::vector<double> scaled; ///< share of the cells in each bin; they sum to 1
    std::vector<double> products;
    std::vector<double> divided; ///< the scaled ones' own bins at 1
    ScoreSpread ofScaled;
    ScoreSpread ofProducts;
    ScoreSpread ofDivided;
};

/// The heads' cells together. No cells where there is nothing to show. What is `known` of the same heads and
/// bins at another temperature is not counted again.
ScoresOnOneAxis scoresOnOneAxis(const trace::Run& run, const std::vector<trace::HeadAddress>& heads,
                                std::size_t bins, const trace::Task& work = {}, double temperature = 1,
                                const ScoresOnOneAxis& known = {});

/// Every head of the run's sites, in order.
std::vector<trace::HeadAddress> headsOf(const trace::Run& run);

/// How the projections of queries and keys begin. Their inputs' components being independent, of mean 0 and
/// variance 1, the initialisation decides what variance those of q and k have, and so that of q . k.
enum class Initialisation {
    Xavier,        ///< uniform, on square matrices (Glorot and Bengio 2010): variance 1 a component
    StackedXavier, ///< torch.nn.MultiheadAttention's, one matrix [3 d_model, d_model]: 1/2
    TorchLinear,   ///< torch.nn.Linear's, uniform up to 1/sqrt(d_model): 1/3
};
inline constexpr std::array initialisations{Initialisation::Xavier, Initialisation::StackedXavier,
                                            Initialisation::TorchLinear};

/// Variance of q . k before training. That of Xavier is d_k, that of independent components of variance 1
/// (Vaswani et al. 2017, footnote of section 3.2.1).
double varianceAtFirst(Initialisation initialisation, int headWidth);

} // namespace headscope::analysis
