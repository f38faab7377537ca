#pragma once

#include <QString>

#include <vector>

namespace headscope::widgets {

/// A tick of an axis or a legend.
struct Tick {
    double value = 0;
    QString text;
};

/// Formats a number for an axis with no more digits than needed.
QString axisNumber(double value);

/// Returns the text of a tick on an axis whose ticks run from `least` to `most`. All ticks of an axis have
/// one format: "0.01", or powers ("10⁻²" beside "10⁻⁵") if a tick would have five zeros.
QString logarithmicTickText(double tick, double least, double most);
QString linearTickText(double tick, double least, double most);

/// Returns multiples of 1, 2 or 5 times a power of ten within [minimum, maximum], at most `atMost`. Empty if
/// the range is empty or not finite.
std::vector<double> niceTicks(double minimum, double maximum, int atMost);

/// Returns 1, 2 and 5 times each power of ten from `least` to `most`, or only powers of ten if these would be
/// more than `atMost`.
std::vector<double> logarithmicTicks(double least, double most, int atMost);

} // namespace headscope::widgets
