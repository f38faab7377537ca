#include "model/analysis/positions/position_origin.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::analysis {

namespace {

/// Computes the base from the frequency of the last pair, which determines it most precisely.
double baseOf(const Sinusoids& sinusoids) {
    const auto last = static_cast<double>(sinusoids.pairs.size() - 1);
    const auto all = static_cast<double>(sinusoids.pairs.size());
    const double base = std::exp(-std::log(sinusoids.pairs.back().frequency) * all / last);
    // Bases are usually integers, and single precision does not determine all digits.
    const double round = std::round(base);
    return std::abs(base - round) < 1e-3 * base ? round : base;
}

double largestDifference(trace::MatrixView table, const Sinusoids& sinusoids, double base) {
    double largest = 0;
    for (std::size_t pair = 0; pair < sinusoids.pairs.size(); ++pair) {
        const double frequency =
            std::pow(base, -static_cast<double>(pair) / static_cast<double>(sinusoids.pairs.size()));
        for (std::size_t position = 0; position < table.rows(); ++position) {
            const double angle = static_cast<double>(position) * frequency;
            largest =
                std::max({largest, std::abs(table(position, sinusoids.pairs[pair].sine) - std::sin(angle)),
                          std::abs(table(position, sinusoids.pairs[pair].cosine) - std::cos(angle))});
        }
    }
    return largest;
}

} // namespace

PositionOrigin positionOrigin(trace::MatrixView table) {
    constexpr double same = 1e-3; // accepts the formula's table in half precision
    if (table.empty())
        return {};
    const trace::MatrixView first(table.row(0).data(), std::min(table.rows(), mostOriginPositions),
                                  table.columns());
    const auto sinusoids = findSinusoids(first);
    if (!sinusoids || sinusoids->pairs.empty())
        return {};
    PositionOrigin origin{.kind = PositionOrigin::Kind::Sinusoids};
    if (sinusoids->pairs.size() < 2)
        return origin;
    origin.base = baseOf(*sinusoids);
    origin.difference = largestDifference(first, *sinusoids, origin.base);
    if (origin.difference < same)
        origin.kind = PositionOrigin::Kind::Formula;
    return origin;
}

std::optional<LengthJump> lengthJump(trace::MatrixView table) {
    constexpr double least = 1.5;
    constexpr std::size_t fewest = 2; // minimum rows per part
    std::vector<double> sums{0};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        double squares = 0;
        for (const double value : table.row(row))
            squares += value * value;
        sums.push_back(sums.back() + std::sqrt(squares));
    }
    std::optional<LengthJump> best;
    double most = 0;
    const auto n = static_cast<double>(table.rows());
    for (std::size_t row = fewest; row + fewest <= table.rows(); ++row) {
        const auto before = static_cast<double>(row);
        const LengthJump jump{row, sums[row] / before, (sums.back() - sums[row]) / (n - before)};
        // Variance between the parts, up to a constant factor.
        const double between =
            before * (n - before) * (jump.after - jump.before) * (jump.after - jump.before);
        if (between <= most)
            continue;
        most = between;
        best = jump;
    }
    const bool isJump =
        best && std::max(best->before, best->after) >= least * std::min(best->before, best->after);
    return isJump ? best : std::nullopt;
}

} // namespace headscope::analysis
