#pragma once

#include <QRgb>
#include <QString>

#include "widgets/drawing/axis_numbers.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace headscope::widgets {

/// Converts an sRGB channel from 0 to 1 to linear light (IEC 61966-2-1).
double linearised(double channel);

/// Rank: the values are ranks, mapped linearly.
enum class ColourMapping { Linear, Logarithmic, Rank };

/// Maps values to colours through a table of 256 entries. The lightness of a sequential scale is monotone and
/// starts close to the background (pale to dark on a light theme, black to bright on a dark one). A diverging
/// scale is neutral at zero, blue below and orange above.
class ColourScale {
  public:
    /// On a logarithmic scale, values up to this fraction of the maximum have the colour of zero.
    static constexpr double logarithmicFloor = 1e-4;

    /// Linear from 0 to 1, for a light theme.
    ColourScale();
    static ColourScale sequential(double minimum, double maximum, ColourMapping mapping, bool dark);
    /// From -limit to limit; exactly neutral at zero.
    static ColourScale diverging(double limit, bool dark);

    /// Clamps values to the scale. NaN has a colour that no value has.
    QRgb colour(double value) const;
    /// Writes the colours of many values, for a row of pixels; `out` holds values.size() entries.
    void colours(std::span<const float> values, QRgb* out) const;
    /// Returns the position of `value` on a legend: 0 at the minimum, 1 at the maximum.
    double position(double value) const;
    /// Returns the colour at a legend position; clamps to [0, 1].
    QRgb colourAt(double position) const;

    friend bool operator==(const ColourScale&, const ColourScale&) = default;

    double minimum() const { return minimum_; }
    double maximum() const { return maximum_; }
    ColourMapping mapping() const { return mapping_; }
    bool isDiverging() const { return diverging_; }
    QRgb notANumber() const { return notANumber_; }

    /// Returns round values within the scale, all in one number format. Linear: at most `atMost`, or zero and
    /// the largest round value (of either sign) if these would be too few. Logarithmic: powers of ten.
    std::vector<Tick> ticks(int atMost) const;

  private:
    // Defined in the class so that they are inlined where many values are looked up. The position of NaN is
    // 0.
    double linearPosition(double value) const {
        return std::min(1.0, std::max(0.0, (value - minimum_) / (maximum_ - minimum_)));
    }
    int placeAt(double position) const {
        return static_cast<int>((diverging_ ? 1 + position * 254 : position * 255) + 0.5);
    }

    double minimum_ = 0;
    double maximum_ = 1;
    ColourMapping mapping_ = ColourMapping::Linear;
    bool diverging_ = false;
    QRgb notANumber_ = 0;
    const std::array<QRgb, 256>* table_ = nullptr;
};

/// Returns the CIE 1976 lightness of a colour, 0 to 100.
double lightness(QRgb colour);

} // namespace headscope::widgets
