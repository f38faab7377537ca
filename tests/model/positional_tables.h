#pragma once

#include "model/trace/matrix.h"

#include <cmath>
#include <random>

namespace headscope::test {

/// sin and cos of position * base^(-2m/D), interleaved or in separate halves.
inline trace::Matrix sinusoidTable(std::size_t positions, std::size_t width, bool halves = false) {
    trace::Matrix table(positions, width);
    for (std::size_t pos = 0; pos < positions; ++pos)
        for (std::size_t m = 0; m < width / 2; ++m) {
            const double frequency =
                std::pow(10000, -2 * static_cast<double>(m) / static_cast<double>(width));
            const double angle = static_cast<double>(pos) * frequency;
            table(pos, halves ? m : 2 * m) = static_cast<float>(std::sin(angle));
            table(pos, halves ? m + width / 2 : 2 * m + 1) = static_cast<float>(std::cos(angle));
        }
    return table;
}

/// Independent numbers from -1 to 1, always the same.
inline trace::Matrix randomTable(std::size_t positions, std::size_t width) {
    std::mt19937 random(7);
    trace::Matrix table(positions, width);
    for (float& value : table.values())
        value = static_cast<float>(static_cast<double>(random()) / 0x80000000p0 - 1);
    return table;
}

/// The sinusoids mixed by a random matrix: shifts are linear, but no two dimensions form a pair.
inline trace::Matrix mixedTable(std::size_t positions, std::size_t width) {
    const trace::Matrix plain = sinusoidTable(positions, width);
    const trace::Matrix mixing = randomTable(width, width);
    trace::Matrix mixed(positions, width);
    for (std::size_t pos = 0; pos < positions; ++pos)
        for (std::size_t out = 0; out < width; ++out)
            for (std::size_t in = 0; in < width; ++in)
                mixed(pos, out) += plain(pos, in) * mixing(in, out);
    return mixed;
}

} // namespace headscope::test
