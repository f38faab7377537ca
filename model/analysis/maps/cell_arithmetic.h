#pragma once

#include "model/analysis/maps/why_masked.h"
#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// The factor of q k^T.
struct ScoreScale {
    double factor = 1;          ///< original or changed factor, divided by the temperature; NaN if not known
    double temperature = 1;     ///< 1: none
    bool isInverseRoot = false; ///< is 1/sqrt(d_k) without temperature (Vaswani et al. 2017, equation 1)
    bool isChanged = false;     ///< changed by an intervention other than the temperature
    bool isKnown = true;        ///< false for a trace that does not state it
};

/// Returns the score scale of `run` for heads of this width (0: not known). If the model does not state its
/// scale, it is 1/sqrt(width), except for traces, which may come from any model.
ScoreScale scoreScale(const trace::Run& run, std::size_t width);

/// Returns the intervention on token positions; empty if there is none.
std::optional<trace::PositionChange> positionChange(const trace::Run& run);

/// Whether scores have terms that depend on content and distance at once, which no table holds.
bool hasDisentangledScores(const trace::Run& run, trace::AttentionKind kind);

/// Returns the table of distance biases added to the self-attention scores of a stack; null if there is none.
const trace::DistanceBias* distanceBias(const trace::Run& run, trace::AttentionKind kind);
/// Returns the bias of a key `offset` places after the query. Offsets outside the table get its end values.
double valueAt(const trace::DistanceBias& bias, const trace::HeadAddress& head, int offset);

/// One key of the query's row.
struct KeyTerm {
    bool open = true;
    double score = 0;       ///< q k scale + distance bias
    double exponential = 0; ///< exp(score - largest allowed score); 0 if masked
    double weight = 0;      ///< exponential / sum of the row's exponentials
};

/// The computation of one cell of a head's map: softmax(q k^T scale + distance + mask) and its product with v
/// (Vaswani et al. 2017, equation 1). In double precision, from the q, k and v that the network computed in
/// single precision.
struct CellArithmetic {
    trace::HeadAddress head;
    std::size_t query = 0;
    std::size_t key = 0;

    /// The model rotates queries and keys by position (Su et al. 2021); q and k are after rotation.
    bool isTurned = false;
    std::vector<double> q;        ///< [d_k]
    std::vector<double> k;        ///< [d_k]
    std::vector<double> products; ///< [d_k] q times k
    double dot = 0;               ///< sum of `products`
    ScoreScale scale;
    double distance = 0; ///< distance bias (trace::DistanceBias)
    /// Positions were shuffled and the run does not record how: `distance` is the score minus the product, so
    /// it does not verify the score.
    bool isDistanceReadOff = false;
    double cap = 0;   ///< c in c tanh(x / c), which limits the score; 0: none
    double score = 0; ///< dot times scale, plus distance, within the cap

    std::optional<WhyMasked> closed; ///< why the cell is masked; empty if it is allowed
    bool rowIsClosed = false;        ///< all keys are masked: all get the same fill value and weight
    std::vector<KeyTerm> row;        ///< [keys]
    double largest = 0;              ///< largest allowed score of the row, subtracted before exp
    double sum = 0;                  ///< of the row's exponentials
    double weight = 0;               ///< after softmax and forcing
    bool isForced = false;           ///< the row's weights were replaced by an intervention

    std::vector<double> v;      ///< [d_k]
    std::vector<double> adds;   ///< [d_k] weight times v: contribution of this key to the head's output
    std::vector<double> output; ///< [d_k] sum over the row, before interventions on the output
    double factor = 1;          ///< product of the interventions that scale the output; 0: the head is off
    bool isReplaced = false;    ///< the output was replaced by an intervention

    double shownScore = 0; ///< in the shown map
    double shownWeight = 0;
};

/// `projected` is the same run as `shown`, with projections recorded. Empty if one of the runs lacks the cell
/// or its scores, the projections are missing, or the factor of q k is not known.
std::optional<CellArithmetic> cellArithmetic(const trace::Run& shown, const trace::Run& projected,
                                             const trace::HeadAddress& head, std::size_t query,
                                             std::size_t key);

/// Euclidean norm.
double length(const std::vector<double>& vector);

} // namespace headscope::analysis
