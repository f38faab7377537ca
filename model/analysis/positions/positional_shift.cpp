#include "model/analysis/positions/positional_shift.h"

#include "model/analysis/positions/linear_fit.h"
#include "model/analysis/positions/sinusoid_pairs.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace headscope::analysis {

namespace {

constexpr std::size_t mostDirections = 32;

/// Returns `count` rows, every second one from `first`.
Rows everySecond(const Rows& rows, std::size_t first, std::size_t count) {
    Rows taken(count, rows.columns());
    for (std::size_t i = 0; i < count; ++i)
        std::ranges::copy(rows.row(first + 2 * i), &taken(i, 0));
    return taken;
}

double squaredLength(std::span<const double> values) {
    double squares = 0;
    for (const double value : values)
        squares += value * value;
    return squares;
}

double squaredDistance(std::span<const double> one, std::span<const double> other) {
    double squares = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        squares += (one[i] - other[i]) * (one[i] - other[i]);
    return squares;
}

trace::Matrix single(const Rows& matrix) {
    const auto& values = matrix.values();
    return {matrix.rows(), matrix.columns(), {values.begin(), values.end()}};
}

/// Compares row pos of `foreseen` with row pos + offset of `rows`. Held out are the odd positions, or all if
/// nothing was fitted.
void judge(PositionalShift& shift, const Rows& rows, const Rows& foreseen) {
    const std::size_t offset = shift.offset;
    const std::size_t step = shift.fitted > 0 ? 2 : 1;
    std::vector<double> mean(rows.columns());
    for (std::size_t pos = step - 1; pos < foreseen.rows(); pos += step)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += rows(pos + offset, i) / static_cast<double>(shift.heldOut);
    double missed = 0;
    double spread = 0;
    for (std::size_t pos = 0; pos < foreseen.rows(); ++pos) {
        const auto there = rows.row(pos + offset);
        const double squares = squaredDistance(foreseen.row(pos), there);
        const double length = squaredLength(there);
        shift.error.push_back(length > 0 ? std::sqrt(squares / length) : std::nan(""));
        if (step == 2 && pos % 2 == 0)
            continue;
        missed += squares;
        spread += squaredDistance(there, mean);
    }
    if (spread > 1e-12 * squaredLength(rows.values()))
        shift.rSquared = 1 - missed / spread;
}

void rotate(PositionalShift& shift, const Rows& rows, const Sinusoids& sinusoids) {
    shift.map = PositionalShift::Map::Rotation;
    shift.heldOut += std::exchange(shift.fitted, 0);
    Rows foreseen(shift.heldOut, rows.columns());
    for (const auto& [sine, cosine, frequency, amplitude] : sinusoids.pairs) {
        const double along = std::cos(frequency * shift.offset);
        const double across = std::sin(frequency * shift.offset);
        for (std::size_t pos = 0; pos < foreseen.rows(); ++pos) {
            foreseen(pos, sine) = along * rows(pos, sine) + across * rows(pos, cosine);
            foreseen(pos, cosine) = along * rows(pos, cosine) - across * rows(pos, sine);
        }
    }
    judge(shift, rows, foreseen);
    shift.matrix = single(shiftMatrix(sinusoids, shift.offset));
}

/// Returns the leading directions, [d_model, dimensions], of the rows used for the fit.
Rows leadingDirectionsOf(PositionalShift& shift, const Rows& rows) {
    const std::size_t offset = shift.offset;
    auto known = everySecond(rows, 0, shift.fitted).values();
    const auto later = everySecond(rows, offset, shift.fitted).values();
    known.insert(known.end(), later.begin(), later.end());
    shift.map = PositionalShift::Map::Directions;
    shift.dimensions = std::min({mostDirections, shift.fitted / 2, rows.columns()});
    return leadingDirections(Rows(2 * shift.fitted, rows.columns(), std::move(known)), shift.dimensions);
}

void fit(PositionalShift& shift, Rows rows) {
    shift.map = PositionalShift::Map::Dimensions;
    std::optional<Rows> basis;
    if (shift.fitted < 2 * rows.columns()) {
        basis = leadingDirectionsOf(shift, rows);
        const double whole = squaredLength(rows.values());
        rows = product(rows, *basis);
        shift.variance = whole > 0 ? squaredLength(rows.values()) / whole : 1;
    }
    const std::size_t offset = shift.offset;
    const Rows map =
        leastSquares(everySecond(rows, 0, shift.fitted), everySecond(rows, offset, shift.fitted));
    const std::size_t pairs = shift.fitted + shift.heldOut;
    const auto end = rows.values().begin() + static_cast<std::ptrdiff_t>(pairs * rows.columns());
    judge(shift, rows, product(Rows(pairs, rows.columns(), {rows.values().begin(), end}), map));
    const Rows turned = transposed(map); // `map` acts on row vectors, the result on column vectors
    shift.matrix = single(basis ? product(product(*basis, turned), transposed(*basis)) : turned);
}

PositionalShift measured(trace::MatrixView table, int offset, bool mayRotate) {
    constexpr std::size_t fewestFitted = 4;
    PositionalShift shift{.offset = offset,
                          .positions = std::min(table.rows(), mostShiftedPositions),
                          .dimensions = table.columns()};
    const std::size_t pairs = shift.positions - std::min<std::size_t>(shift.positions, offset);
    shift.fitted = (pairs + 1) / 2;
    shift.heldOut = pairs / 2;
    if (pairs == 0 || table.empty())
        return shift;
    Rows rows(shift.positions, table.columns());
    for (std::size_t row = 0; row < rows.rows(); ++row)
        std::ranges::copy(table.row(row), &rows(row, 0));
    const trace::MatrixView looked(table.row(0).data(), shift.positions, table.columns());
    if (const auto sinusoids = mayRotate ? findSinusoids(looked) : std::nullopt)
        rotate(shift, rows, *sinusoids);
    else if (shift.fitted >= fewestFitted)
        fit(shift, std::move(rows));
    return shift;
}

} // namespace

PositionalShift positionalShift(trace::MatrixView table, int offset) {
    return measured(table, offset, true);
}

PositionalShift fittedShift(trace::MatrixView table, int offset) {
    return measured(table, offset, false);
}

} // namespace headscope::analysis
