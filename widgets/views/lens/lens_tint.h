#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include "model/trace/lens.h"

#include <array>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// What the cells of a lens are tinted by. The stronger the colour, the nearer to what came out in the end.
/// Every scale is fixed, so that sentences can be compared.
enum class LensTint {
    Probability,    ///< of the chosen token, linear
    LogProbability, ///< the same, logarithmic from 1e-4
    Rank,           ///< of the chosen token, logarithmic to 10000
    Divergence,     ///< KL of the model's own distribution from this one, nats
};
inline constexpr std::array lensTints{LensTint::Probability, LensTint::LogProbability, LensTint::Rank,
                                      LensTint::Divergence};

/// "Probability of the chosen token"
QString lensTintTitle(LensTint tint);

/// 0 to 1 along the colours; NaN for what is not a number.
double lensTintPosition(LensTint tint, const trace::LensReading& reading);
/// The colour at a position; NaN has one of its own.
QColor lensTintColour(double position, const Theme& theme);

/// A legend in one line: a bar of the colours with numbers on it, as many as have room.
void drawLensLegend(QPainter& painter, const QRectF& bar, LensTint tint, const QFont& font,
                    const Theme& theme);

} // namespace headscope::widgets
