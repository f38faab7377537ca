#pragma once

#include <QString>

#include "model/trace/quantity_maps.h"

#include <array>
#include <optional>

namespace headscope::widgets {

/// What of an attention site is drawn.
enum class Quantity {
    Weights,           ///< after the softmax; each row with an open key sums to 1
    Scores,            ///< scaled products of queries and keys, before the mask
    OpenScores,        ///< the same as the softmax is given them: closed cells are closed
    NormWeighted,      ///< lengths of what is added to the residual stream
    NormShares,        ///< the same, each row over its sum
    Rollout,           ///< of all heads and layers so far
    Contribution,      ///< ALTI+, of all heads and layers so far
    GradientAttention, ///< for one step's logit
};

inline constexpr std::array allQuantities{
    Quantity::Weights,    Quantity::Scores,  Quantity::OpenScores,   Quantity::NormWeighted,
    Quantity::NormShares, Quantity::Rollout, Quantity::Contribution, Quantity::GradientAttention};

/// What has to be computed for it; nothing where the run holds it.
std::optional<trace::MapQuantity> computedFor(Quantity quantity);
/// False where all heads share one map.
bool isPerHead(Quantity quantity);
/// Both signs mean something: drawn around zero.
bool isSigned(Quantity quantity);
bool isScore(Quantity quantity);
/// Of parts of a whole. The roll-out's two sides each sum to 1: how it splits between them is fixed by the
/// number of layers alone.
bool sumsToOne(Quantity quantity);

/// "norm-weighted", for a choice.
QString quantityName(Quantity quantity);
/// What its numbers are, in a sentence or two, for a caption.
QString quantityInWords(Quantity quantity);

} // namespace headscope::widgets
