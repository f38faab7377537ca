#pragma once

#include "model/trace/long_work.h"
#include "model/trace/run.h"

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
    friend bool operator==(const ScoreSpread&, const ScoreSpread&) = default;
};

/// One head's q k^T, before it is multiplied by anything.
struct HeadSpread {
    trace::HeadAddress head;
    ScoreSpread products;
};

/// Every head of a run. Those without an open cell are left out, as are those whose scores are not finite;
/// empty where the scores
/// were multiplied by 0. What a model adds to scores by distance is no part of the products.
std::vector<HeadSpread> spreadOfHeads(const trace::Run& run, const trace::LongWork& work = {});

/// Scores over one axis, as the softmax is given them and without the factor that q k^T is multiplied by.
struct ScoresOnOneAxis {
    double lowest = 0;
    double highest = 0;
    double factor = 1;          ///< of q k^T
    bool hasBias = false;       ///< the scores hold what the distance adds, too
    std::vector<double> scaled; ///< share of the cells in each bin; they sum to 1
    std::vector<double> products;
    ScoreSpread ofScaled;
    ScoreSpread ofProducts;
};

/// The heads' cells together. No cells where there is nothing to show.
ScoresOnOneAxis scoresOnOneAxis(const trace::Run& run, const std::vector<trace::HeadAddress>& heads,
                                std::size_t bins, const trace::LongWork& work = {});

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
