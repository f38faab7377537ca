#pragma once

#include <cstddef>
#include <cstdint>

namespace headscope::analysis::kernels {

/// Keys of a panel, which stand side by side: [width, lanes]; the last panel is filled up.
inline constexpr std::size_t lanes = 32;

/// to [rows, count] = q [rows, width] times the keys of as many panels as `count` needs, times scale.
void scoreRows(const float* q, std::size_t rows, std::size_t width, const float* panels, std::size_t count,
               float scale, float* to);

/// Softmax of a row in place. A cell that is not open counts as `closed`.
void softmaxRow(float* row, const std::uint8_t* open, std::size_t keys, float closed);

/// Adds a row of cells to the row of the fewer ones that stand for them, `wide` cells each.
void poolRow(const float* row, const std::uint8_t* open, std::size_t keys, std::size_t wide, float* values,
             std::uint8_t* anyOpen);

} // namespace headscope::analysis::kernels
