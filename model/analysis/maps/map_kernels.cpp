// Optimised in every build (model/CMakeLists.txt): a map of 4,096 tokens is sixteen million cells.
#include "model/analysis/maps/map_kernels.h"

#include "model/trace/exponentials.h"
#include "model/trace/vectorised.h"

#include <algorithm>
#include <limits>

namespace headscope::analysis::kernels {

namespace {

/// Scores of some queries against one panel of keys; the sums stay in registers.
template <std::size_t queries>
HEADSCOPE_INLINE void scorePanel(const float* q, std::size_t width, const float* panel, std::size_t keys,
                                 std::size_t count, float scale, float* to) {
    float sums[queries][lanes] = {};
    for (std::size_t d = 0; d < width; ++d)
        for (std::size_t i = 0; i < queries; ++i) {
            const float factor = q[i * width + d];
            for (std::size_t lane = 0; lane < lanes; ++lane)
                sums[i][lane] += factor * panel[d * lanes + lane];
        }
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t lane = 0; lane < keys; ++lane)
            to[i * count + lane] = sums[i][lane] * scale;
}

} // namespace

HEADSCOPE_VECTORISED(void, scoreRows,
                     (const float* q, std::size_t rows, std::size_t width, const float* panels,
                      std::size_t count, float scale, float* to),
                     (q, rows, width, panels, count, scale, to)) {
    constexpr std::size_t together = 4;
    for (std::size_t first = 0; first < count; first += lanes, panels += width * lanes) {
        const std::size_t keys = std::min(lanes, count - first);
        std::size_t row = 0;
        for (; row + together <= rows; row += together)
            scorePanel<together>(q + row * width, width, panels, keys, count, scale,
                                 to + row * count + first);
        for (; row < rows; ++row)
            scorePanel<1>(q + row * width, width, panels, keys, count, scale, to + row * count + first);
    }
}

HEADSCOPE_VECTORISED(void, softmaxRow, (float* row, const std::uint8_t* open, std::size_t keys, float closed),
                     (row, open, keys, closed)) {
    // One maximum per lane: a single maximum depends on the order if there is NaN, so it is not vectorised.
    float most[lanes];
    for (float& lane : most)
        lane = -std::numeric_limits<float>::infinity();
    const std::size_t whole = keys / lanes * lanes;
    for (std::size_t key = 0; key < keys; ++key)
        row[key] = open[key] ? row[key] : closed;
    for (std::size_t key = 0; key < whole; key += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            most[lane] = row[key + lane] > most[lane] ? row[key + lane] : most[lane];
    for (std::size_t key = whole; key < keys; ++key)
        most[0] = row[key] > most[0] ? row[key] : most[0];
    const float largest = *std::max_element(most, most + lanes);
    trace::exponentials(row, keys, largest); // masked cells become exactly 0
    float sum = 0;
    for (std::size_t key = 0; key < keys; ++key)
        sum += row[key];
    const float factor = 1 / sum;
    for (std::size_t key = 0; key < keys; ++key)
        row[key] *= factor;
}

HEADSCOPE_VECTORISED(void, poolRow,
                     (const float* row, const std::uint8_t* open, std::size_t keys, std::size_t wide,
                      float* values, std::uint8_t* anyOpen),
                     (row, open, keys, wide, values, anyOpen)) {
    for (std::size_t at = 0, key = 0; key < keys; ++at) {
        const std::size_t last = std::min(keys, key + wide);
        float largest = values[at];
        std::uint8_t any = anyOpen[at];
        for (; key < last; ++key) {
            const bool greater = open[key] && !(row[key] <= largest); // true for NaN
            largest = greater ? row[key] : largest;
            any |= open[key];
        }
        values[at] = largest;
        anyOpen[at] = any;
    }
}

} // namespace headscope::analysis::kernels
