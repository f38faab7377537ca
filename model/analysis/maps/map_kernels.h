#pragma once

#include <cstddef>
#include <cstdint>

namespace headscope::analysis::kernels {

/// Number of keys in a panel. Panels are stored as [width, lanes]; the last one is filled up.
inline constexpr std::size_t lanes = 32;

/// Computes to [rows, count] = q [rows, width] x keys^T x scale. `panels` holds the `count` keys.
void scoreRows(const float* q, std::size_t rows, std::size_t width, const float* panels, std::size_t count,
               float scale, float* to);

/// Computes the softmax of a row in place. Masked cells are taken to have the score `closed`.
void softmaxRow(float* row, const std::uint8_t* open, std::size_t keys, float closed);

/// Max-pools the allowed cells of a row into `values`, `wide` cells per value, together with the values
/// already there. NaN takes precedence.
void poolRow(const float* row, const std::uint8_t* open, std::size_t keys, std::size_t wide, float* values,
             std::uint8_t* anyOpen);

} // namespace headscope::analysis::kernels
