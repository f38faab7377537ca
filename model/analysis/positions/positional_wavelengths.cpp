#include "model/analysis/positions/positional_wavelengths.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace headscope::analysis {

namespace {

struct Circle {
    std::vector<double> cosines; ///< of 2 pi i / n
    std::vector<double> sines;

    explicit Circle(std::size_t n) : cosines(n), sines(n) {
        for (std::size_t i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
            cosines[i] = std::cos(angle);
            sines[i] = std::sin(angle);
        }
    }
};

/// Returns the variance explained by the frequency of `turns` periods per column (Parseval).
double powerOf(const std::vector<double>& column, std::size_t turns, const Circle& circle) {
    const std::size_t n = column.size();
    double along = 0;
    double across = 0;
    for (std::size_t i = 0, at = 0; i < n; ++i, at = at + turns < n ? at + turns : at + turns - n) {
        along += column[i] * circle.cosines[at];
        across += column[i] * circle.sines[at];
    }
    const double both = 2 * turns == n ? 1 : 2; // other frequencies have a conjugate of equal power
    return both * (along * along + across * across) / static_cast<double>(n * n);
}

std::optional<Wavelength> strongestWave(std::vector<double> column, const Circle& circle) {
    const auto n = static_cast<double>(column.size());
    const double squares = std::inner_product(column.begin(), column.end(), column.begin(), 0.0) / n;
    const double mean = std::accumulate(column.begin(), column.end(), 0.0) / n;
    const double variance = squares - mean * mean;
    if (!(variance > 1e-12 * squares))
        return std::nullopt;
    for (double& value : column)
        value -= mean;
    Wavelength strongest{.share = 0};
    for (std::size_t turns = 1; 2 * turns <= column.size(); ++turns) {
        const double share = powerOf(column, turns, circle) / variance;
        if (share > strongest.share)
            strongest = {n / static_cast<double>(turns), share};
    }
    return strongest;
}

} // namespace

PositionalWavelengths positionalWavelengths(trace::MatrixView table) {
    PositionalWavelengths measured{.positions = std::min(table.rows(), mostMeasuredPositions)};
    measured.dimensions.resize(table.columns());
    if (measured.positions < 2)
        return measured;
    const trace::MatrixView looked(table.row(0).data(), measured.positions, table.columns());
    if (const auto sinusoids = findSinusoids(looked)) {
        measured.layout = sinusoids->layout;
        for (const auto& pair : sinusoids->pairs)
            measured.dimensions[pair.sine] = measured.dimensions[pair.cosine] =
                Wavelength{2 * std::numbers::pi / pair.frequency, 1};
        return measured;
    }
    const Circle circle(measured.positions);
    std::vector<double> column(measured.positions);
    for (std::size_t dimension = 0; dimension < table.columns(); ++dimension) {
        for (std::size_t row = 0; row < column.size(); ++row)
            column[row] = looked(row, dimension);
        measured.dimensions[dimension] = strongestWave(column, circle);
    }
    return measured;
}

} // namespace headscope::analysis
