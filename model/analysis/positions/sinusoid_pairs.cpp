#include "model/analysis/positions/sinusoid_pairs.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace headscope::analysis {

namespace {

/// Allows for tables in half precision, with errors of 2^-11 in values and angles.
constexpr double tolerance = 4e-3;
/// A slower pair counts as constant, which any shift would explain.
constexpr double slowest = 1e-7;

std::optional<SinusoidPair> findPair(trace::MatrixView table, std::size_t first, std::size_t second) {
    // In float64: angles are subtracted, and in float32 each difference would be rounded for itself.
    const auto sine = [&](std::size_t row) { return static_cast<double>(table(row, first)); };
    const auto cosine = [&](std::size_t row) { return static_cast<double>(table(row, second)); };
    const double amplitude = std::hypot(sine(0), cosine(0));
    if (!(amplitude > 0) || !std::isfinite(amplitude))
        return std::nullopt;
    std::vector<double> turned; // angle from each position to the next, in (-pi, pi]
    double whole = 0;
    for (std::size_t row = 1; row < table.rows(); ++row) {
        if (!(std::abs(std::hypot(sine(row), cosine(row)) / amplitude - 1) < tolerance))
            return std::nullopt;
        const double step = std::atan2(sine(row), cosine(row)) - std::atan2(sine(row - 1), cosine(row - 1));
        turned.push_back(std::remainder(step, 2 * std::numbers::pi));
        whole += turned.back();
    }
    // The steps sum to last minus first angle, so rounding errors are divided by the number of steps.
    const double frequency = whole / static_cast<double>(turned.size());
    for (const double step : turned)
        if (std::abs(step - frequency) > tolerance)
            return std::nullopt;
    if (std::abs(frequency) < slowest)
        return std::nullopt;
    if (frequency < 0) // then the first dimension is the cosine
        std::swap(first, second);
    return SinusoidPair{first, second, std::abs(frequency), amplitude};
}

std::optional<Sinusoids> findSinusoids(trace::MatrixView table, PairLayout layout) {
    Sinusoids found{.layout = layout};
    const std::size_t count = table.columns() / 2;
    for (std::size_t i = 0; i < count; ++i) {
        const bool interleaved = layout == PairLayout::Interleaved;
        const auto pair = findPair(table, interleaved ? 2 * i : i, interleaved ? 2 * i + 1 : i + count);
        if (!pair)
            return std::nullopt;
        found.pairs.push_back(*pair);
    }
    return found;
}

} // namespace

std::optional<Sinusoids> findSinusoids(trace::MatrixView table) {
    if (table.rows() < 4 || table.columns() < 2 || table.columns() % 2 != 0)
        return std::nullopt;
    if (auto found = findSinusoids(table, PairLayout::Interleaved))
        return found;
    return findSinusoids(table, PairLayout::Halves);
}

trace::BasicMatrix<double> shiftMatrix(const Sinusoids& sinusoids, int offset) {
    const std::size_t width = 2 * sinusoids.pairs.size();
    trace::BasicMatrix<double> shift(width, width);
    for (const auto& [sine, cosine, frequency, amplitude] : sinusoids.pairs) {
        const double angle = frequency * offset;
        shift(sine, sine) = shift(cosine, cosine) = std::cos(angle);
        shift(sine, cosine) = std::sin(angle);
        shift(cosine, sine) = -std::sin(angle);
    }
    return shift;
}

} // namespace headscope::analysis
