#include "widgets/drawing/colour_scale.h"

#include "widgets/drawing/axis_numbers.h"

#include <QColor>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <span>

namespace headscope::widgets {

namespace {

using Table = std::array<QRgb, 256>;

/// Oklab (Ottosson 2020). Colours are mixed in it because equal steps look equal.
struct Oklab {
    double l = 0;
    double a = 0;
    double b = 0;
};

double encoded(double c) {
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

Oklab toOklab(QRgb colour) {
    const double r = linearised(qRed(colour) / 255.0);
    const double g = linearised(qGreen(colour) / 255.0);
    const double b = linearised(qBlue(colour) / 255.0);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::array<double, 3> toLinearRgb(const Oklab& lab) {
    const double l = std::pow(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
    const double m = std::pow(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
    const double s = std::pow(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// Desaturates until the colour is displayable, which preserves the lightness.
QRgb toRgb(Oklab lab) {
    for (int attempt = 0; attempt < 64; ++attempt) {
        const auto rgb = toLinearRgb(lab);
        if (std::ranges::all_of(rgb, [](double c) { return c >= -1e-4 && c <= 1.0001; }))
            break;
        lab.a *= 0.96;
        lab.b *= 0.96;
    }
    const auto rgb = toLinearRgb(lab);
    const auto byte = [](double c) {
        return static_cast<int>(std::lround(255 * std::clamp(encoded(std::clamp(c, 0.0, 1.0)), 0.0, 1.0)));
    };
    return qRgb(byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
}

/// Returns the colour of lightness `l` on the path through `stops`, whose lightness must be monotone.
QRgb onPath(std::span<const Oklab> stops, double l) {
    const bool rising = stops.back().l > stops.front().l;
    std::size_t next = 1;
    while (next + 1 < stops.size() && (rising ? stops[next].l < l : stops[next].l > l))
        ++next;
    const Oklab& from = stops[next - 1];
    const Oklab& to = stops[next];
    const double part = std::clamp((l - from.l) / (to.l - from.l), 0.0, 1.0);
    return toRgb({l, std::lerp(from.a, to.a, part), std::lerp(from.b, to.b, part)});
}

/// Fills table[first..last] so that lightness is linear in the index.
void fillTable(Table& table, int first, int last, std::initializer_list<const char*> colours) {
    std::vector<Oklab> stops;
    for (const char* colour : colours)
        stops.push_back(toOklab(QColor(colour).rgb()));
    const int step = last > first ? 1 : -1;
    for (int i = first; i != last + step; i += step) {
        const double part = static_cast<double>(i - first) / (last - first);
        table[i] = onPath(stops, std::lerp(stops.front().l, stops.back().l, part));
    }
}

const Table& sequentialTable(bool dark) {
    static const Table onLight = [] {
        Table table;
        fillTable(table, 0, 255,
                  {"#ffffff", "#e6f5c0", "#b5e2b5", "#72cbb9", "#3aa8bf", "#2a7fb8", "#2c56a0", "#2b2f83",
                   "#1a1150"});
        return table;
    }();
    static const Table onDark = [] {
        Table table;
        fillTable(table, 0, 255,
                  {"#1b1d22", "#372a66", "#3c4f94", "#2e7c99", "#2fa68c", "#6fcc63", "#c9e23c", "#fdf6a3"});
        return table;
    }();
    return dark ? onDark : onLight;
}

/// Entry 128 is zero, 1 and 255 are the ends; entry 0 repeats entry 1.
const Table& divergingTable(bool dark) {
    static const Table onLight = [] {
        Table table;
        fillTable(table, 128, 1, {"#fafafa", "#a9cdea", "#4a8fcb", "#164f93"});
        fillTable(table, 128, 255, {"#fafafa", "#f6c3a0", "#dc7a3c", "#8f3a0c"});
        table[0] = table[1];
        return table;
    }();
    static const Table onDark = [] {
        Table table;
        fillTable(table, 128, 1, {"#202126", "#23507e", "#3f8fd0", "#a6d8ff"});
        fillTable(table, 128, 255, {"#202126", "#7d3f16", "#d97c35", "#ffd3a3"});
        table[0] = table[1];
        return table;
    }();
    return dark ? onDark : onLight;
}

/// Returns the largest value of the form 1, 2 or 5 times a power of ten that is at most `limit`.
double roundBelow(double limit) {
    const double power = std::pow(10, std::floor(std::log10(limit) + 1e-9));
    for (const double factor : {5.0, 2.0})
        if (factor * power <= limit * (1 + 1e-9))
            return factor * power;
    return power;
}

// Neither colour path contains magenta, so that NaN cannot be taken for a value.
QRgb notANumberColour(bool dark) {
    return dark ? qRgb(255, 0, 200) : qRgb(230, 0, 160);
}

} // namespace

double linearised(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

ColourScale::ColourScale() : notANumber_(notANumberColour(false)), table_(&sequentialTable(false)) {}

ColourScale ColourScale::sequential(double minimum, double maximum, ColourMapping mapping, bool dark) {
    ColourScale scale;
    scale.maximum_ = maximum > minimum ? maximum : minimum + 1;
    scale.minimum_ = mapping == ColourMapping::Logarithmic ? scale.maximum_ * logarithmicFloor : minimum;
    scale.mapping_ = mapping;
    scale.notANumber_ = notANumberColour(dark);
    scale.table_ = &sequentialTable(dark);
    return scale;
}

ColourScale ColourScale::diverging(double limit, bool dark) {
    ColourScale scale;
    scale.maximum_ = limit > 0 ? limit : 1;
    scale.minimum_ = -scale.maximum_;
    scale.diverging_ = true;
    scale.notANumber_ = notANumberColour(dark);
    scale.table_ = &divergingTable(dark);
    return scale;
}

double ColourScale::position(double value) const {
    if (mapping_ != ColourMapping::Logarithmic)
        return linearPosition(value);
    if (value <= minimum_)
        return 0;
    return std::clamp(std::log(value / minimum_) / std::log(maximum_ / minimum_), 0.0, 1.0);
}

QRgb ColourScale::colourAt(double position) const {
    return (*table_)[placeAt(std::min(1.0, std::max(0.0, position)))];
}

QRgb ColourScale::colour(double value) const {
    return std::isnan(value) ? notANumber_ : colourAt(position(value));
}

void ColourScale::colours(std::span<const float> values, QRgb* out) const {
    if (mapping_ == ColourMapping::Logarithmic) {
        float last = 0; // neighbours are often equal: zeros, or several pixels of one cell
        QRgb colourOfLast = colour(last);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] != last) { // always true for NaN
                last = values[i];
                colourOfLast = colour(last);
            }
            out[i] = colourOfLast;
        }
        return;
    }
    // Table indices first, in a loop the compiler can vectorise.
    std::array<int, 256> places{};
    for (std::size_t begin = 0; begin < values.size(); begin += places.size()) {
        const auto part = values.subspan(begin, std::min(places.size(), values.size() - begin));
        for (std::size_t i = 0; i < part.size(); ++i)
            places[i] = placeAt(linearPosition(part[i]));
        for (std::size_t i = 0; i < part.size(); ++i)
            out[begin + i] = std::isnan(part[i]) ? notANumber_ : (*table_)[places[i]];
    }
}

std::vector<Tick> ColourScale::ticks(int atMost) const {
    std::vector<double> values;
    if (mapping_ == ColourMapping::Logarithmic) {
        for (int power = qCeil(std::log10(minimum_) - 1e-9); power <= std::log10(maximum_) + 1e-9; ++power)
            values.push_back(std::pow(10, power));
    } else {
        values = niceTicks(minimum_, maximum_, atMost);
        // Zero alone would not show the magnitude.
        if (diverging_ && values.size() < 3)
            values = {-roundBelow(maximum_), 0, roundBelow(maximum_)};
        else if (values.size() < 2 && minimum_ == 0)
            values = {0, roundBelow(maximum_)};
        else if (values.size() < 2)
            values = {minimum_, maximum_};
    }
    std::vector<Tick> ticks;
    for (const double value : values)
        ticks.push_back({value, mapping_ == ColourMapping::Logarithmic
                                    ? logarithmicTickText(value, values.front(), values.back())
                                    : linearTickText(value, values.front(), values.back())});
    return ticks;
}

double lightness(QRgb colour) {
    const double y = 0.2126 * linearised(qRed(colour) / 255.0) + 0.7152 * linearised(qGreen(colour) / 255.0) +
                     0.0722 * linearised(qBlue(colour) / 255.0);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

} // namespace headscope::widgets
