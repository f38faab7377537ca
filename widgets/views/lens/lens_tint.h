#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include "model/trace/lens.h"

#include <array>
#include <optional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// What the cells of a lens are tinted by. Stronger colours are closer to the model's prediction. Scales are
/// fixed, so that sentences can be compared.
enum class LensTint {
    Probability,    ///< of the chosen token, linear; with a contrast token p / (p + p of the other one)
    LogProbability, ///< the same, logarithmic from 1e-4
    Rank,           ///< of the chosen token, logarithmic to 10000
    Divergence,     ///< KL of the model's distribution from the one of the stage, in nats
};
inline constexpr std::array lensTints{LensTint::Probability, LensTint::LogProbability, LensTint::Rank,
                                      LensTint::Divergence};

/// "Probability of the chosen token"; with a contrast token "... compared with “Katze”", for the tints that
/// depend on it.
QString lensTintTitle(LensTint tint, const std::optional<trace::Token>& contrast = {});

/// Returns a position from 0 to 1 on the colour scale; NaN if the reading is NaN. With a contrast token, the
/// probability is that of the chosen one of these two.
double lensTintPosition(LensTint tint, const trace::LensReading& reading);
/// Returns the colour at a position; NaN has its own colour.
QColor lensTintColour(double position, const Theme& theme);

/// Draws a one-line legend: a colour bar with as many numbers as fit.
void drawLensLegend(QPainter& painter, const QRectF& bar, LensTint tint, const QFont& font,
                    const Theme& theme);

} // namespace headscope::widgets
