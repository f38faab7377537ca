#include "widgets/words/quantity.h"

#include <QCoreApplication>

namespace headscope::widgets {

namespace {

struct QuantityWords {
    Q_DECLARE_TR_FUNCTIONS(Quantity)
};

} // namespace

std::optional<trace::MapQuantity> computedFor(Quantity quantity) {
    switch (quantity) {
    case Quantity::NormWeighted:
    case Quantity::NormShares:
        return trace::MapQuantity::NormWeighted;
    case Quantity::Rollout:
        return trace::MapQuantity::Rollout;
    case Quantity::Contribution:
        return trace::MapQuantity::Contribution;
    case Quantity::GradientAttention:
        return trace::MapQuantity::GradientAttention;
    case Quantity::Weights:
    case Quantity::Scores:
    case Quantity::OpenScores:
        break;
    }
    return std::nullopt;
}

bool isPerHead(Quantity quantity) {
    return quantity != Quantity::Rollout && quantity != Quantity::Contribution;
}

bool isSigned(Quantity quantity) {
    return isScore(quantity) || quantity == Quantity::GradientAttention;
}

bool isAboutEffect(Quantity quantity) {
    return quantity == Quantity::Weights || quantity == Quantity::NormWeighted ||
           quantity == Quantity::NormShares;
}

bool isScore(Quantity quantity) {
    return quantity == Quantity::Scores || quantity == Quantity::OpenScores;
}

bool sumsToOne(Quantity quantity) {
    return quantity == Quantity::Weights || quantity == Quantity::NormShares ||
           quantity == Quantity::Rollout || quantity == Quantity::Contribution;
}

QString quantityName(Quantity quantity) {
    switch (quantity) {
    case Quantity::Scores:
        return QuantityWords::tr("scores");
    case Quantity::OpenScores:
        return QuantityWords::tr("scores after the mask");
    case Quantity::NormWeighted:
        return QuantityWords::tr("norm-weighted");
    case Quantity::NormShares:
        return QuantityWords::tr("norm-weighted, shares");
    case Quantity::Rollout:
        return QuantityWords::tr("roll-out (all heads)");
    case Quantity::Contribution:
        return QuantityWords::tr("ALTI+ (all heads)");
    case Quantity::GradientAttention:
        return QuantityWords::tr("gradient \u00d7 attention");
    case Quantity::Weights:
        break;
    }
    return QuantityWords::tr("weights");
}

QString quantityInWords(Quantity quantity) {
    switch (quantity) {
    case Quantity::Scores:
        return QuantityWords::tr("Scores before the mask and the softmax: orange above zero (+), blue below "
                                 "(\u2212); masked cells have values too.");
    case Quantity::OpenScores:
        return QuantityWords::tr("Scores after the mask, as input to the softmax: orange above zero (+), "
                                 "blue below (\u2212); masked cells hatched.");
    case Quantity::NormWeighted:
        return QuantityWords::tr("Norm-weighted attention: norm of the vector that the head adds to the "
                                 "residual stream for each key; rows do not sum to 1.");
    case Quantity::NormShares:
        return QuantityWords::tr(
            "Norm-weighted attention, as each key's share of its row: each row sums to 1.");
    case Quantity::Rollout:
        return QuantityWords::tr("Roll-out: weights multiplied through all layers up to this one, with the "
                                 "residual connection as half of each sublayer; not specific to one head.");
    case Quantity::Contribution:
        return QuantityWords::tr("ALTI+: contribution of each token to the stream, through all heads and "
                                 "layers up to this one; each row sums to 1.");
    case Quantity::GradientAttention:
        return QuantityWords::tr("Weight times gradient: whether a larger weight raises (orange, +) or "
                                 "lowers (blue, \u2212) the logit.");
    case Quantity::Weights:
        break;
    }
    return QuantityWords::tr("Weights; each row sums to 1.");
}

} // namespace headscope::widgets
