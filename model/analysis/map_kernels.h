#pragma once

#include <cstddef>
#include <cstdint>

namespace headscope::analysis::kernels {

/// to [rows, keys] = q [rows, width] times keys [width, padded], times scale. `padded` is a multiple of
/// `lanes`, of which the last may lie beyond `keys`.
inline constexpr std::size_t lanes = 32;
void scoreRows(const float* q, std::size_t rows, std::size_t width, const float* keys, std::size_t count,
               std::size_t padded, float scale, float* to);

/// Softmax of a row in place. A cell that is not open counts as `closed`.
void softmaxRow(float* row, const std::uint8_t* open, std::size_t keys, float closed);

/// Adds a row of cells to the row of the fewer ones that stand for them, `wide` cells each.
void poolRow(const float* row, const std::uint8_t* open, std::size_t keys, std::size_t wide, float* values,
             std::uint8_t* anyOpen);

} // namespace headscope::analysis::kernels
