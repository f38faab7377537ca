#pragma once

#include <QRgb>
#include <QString>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace headscope::widgets {

/// The light of an sRGB channel from 0 to 1 (IEC 61966-2-1).
double linearised(double channel);

/// Rank: a scale of ranks, which is linear in them.
enum class ColourMapping { Linear, Logarithmic, Rank };

/// A place on a legend.
struct Tick {
    double value = 0;
    QString text;
};

/// Values to colours through a table of 256. Sequential scales are monotone in lightness and begin nearly at
/// the background (pale to dark on a light theme, black to bright on a dark one); diverging ones leave a
/// neutral zero for blue below and orange above.
class ColourScale {
  public:
    /// On a logarithmic scale everything at or below this part of the maximum has the colour of zero.
    static constexpr double logarithmicFloor = 1e-4;

    /// Zero to one, linear, light.
    ColourScale();
    static ColourScale sequential(double minimum, double maximum, ColourMapping mapping, bool dark);
    /// From -limit to limit; zero is exactly neutral.
    static ColourScale diverging(double limit, bool dark);

    /// Values outside are clamped; NaN has a colour of its own that no value has.
    QRgb colour(double value) const;
    /// The same of many, for a line of a picture.
    void colours(std::span<const float> values, QRgb* out) const;
    /// 0 at the minimum, 1 at the maximum; where `value` stands on a legend.
    double position(double value) const;
    /// The colour at a position on a legend.
    QRgb colourAt(double position) const;

    friend bool operator==(const ColourScale&, const ColourScale&) = default;

    double minimum() const { return minimum_; }
    double maximum() const { return maximum_; }
    ColourMapping mapping() const { return mapping_; }
    bool isDiverging() const { return diverging_; }
    QRgb notANumber() const { return notANumber_; }

    /// Round values within the scale: at most `atMost` on a linear scale, or zero and the largest (of either
    /// sign) where these are too few; powers of ten on a logarithmic one. All texts have one form.
    std::vector<Tick> ticks(int atMost) const;

  private:
    // Here, so that they are inlined where many are looked up. Of no number, 0.
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

/// Multiples of 1, 2 or 5 times a power of ten within [minimum, maximum], at most `atMost` of them.
std::vector<double> niceTicks(double minimum, double maximum, int atMost);

/// CIE 1976 lightness of a colour, 0 to 100.
double lightness(QRgb colour);

} // namespace headscope::widgets
