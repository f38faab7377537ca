#pragma once

#include <QString>

#include "model/trace/quantity_maps.h"

#include <array>
#include <optional>

namespace headscope::widgets {

/// Quantity of an attention site that is drawn.
enum class Quantity {
    Weights,           ///< after the softmax; each row with an allowed key sums to 1
    Scores,            ///< scaled products of queries and keys, before the mask
    OpenScores,        ///< the same after the mask, as the softmax gets them
    NormWeighted,      ///< norms of the vectors added to the residual stream
    NormShares,        ///< the same, divided by the sum of the row
    Rollout,           ///< of all heads and layers up to this one
    Contribution,      ///< ALTI+, of all heads and layers up to this one
    GradientAttention, ///< gradient of one step's logit times weight
};

inline constexpr std::array allQuantities{
    Quantity::Weights,    Quantity::Scores,  Quantity::OpenScores,   Quantity::NormWeighted,
    Quantity::NormShares, Quantity::Rollout, Quantity::Contribution, Quantity::GradientAttention};

/// Returns what must be computed for the quantity; empty if the run contains it.
std::optional<trace::MapQuantity> computedFor(Quantity quantity);
/// False if all heads share one map.
bool isPerHead(Quantity quantity);
/// True if both signs are meaningful: drawn around zero.
bool isSigned(Quantity quantity);
bool isScore(Quantity quantity);
/// True if it describes a head's rows as the model computed them, so that it can be compared with their
/// effect.
bool isAboutEffect(Quantity quantity);
/// True for shares of a whole. The two sides of the roll-out each sum to 1, as their split depends only on
/// the number of layers.
bool sumsToOne(Quantity quantity);

/// "norm-weighted", for lists.
QString quantityName(Quantity quantity);
/// Describes the numbers in a sentence or two, for captions.
QString quantityInWords(Quantity quantity);

} // namespace headscope::widgets
