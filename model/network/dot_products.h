#pragma once

#include "model/files/element_type.h"

#include <cstddef>
#include <cstdint>

/// Loops over plain memory for products of a matrix with few vectors. Each runs on one thread, with the
/// widest vector registers that the processor has.
namespace headscope::network::dots {

/// Float32, BFloat16 (the upper half of a float), Float16 (IEEE 754 binary16, finite), or a type in blocks.
using Element = files::ElementType;

/// Rows of a matrix in memory order, `columns` numbers each.
struct Matrix {
    Element element = Element::Float32;
    const void* first = nullptr;
    std::size_t columns = 0;
};

/// Numbers that arrange() writes for a vector of `n`.
std::size_t arrangedSize(Element element, std::size_t n);

/// Arranges a vector for multiply(): so that the numbers in each word of a matrix meet theirs. Behind them
/// are sums of the vector's groups, which the offsets of a matrix in blocks are multiplied by.
void arrange(Element element, float* to, const float* x, std::size_t n);

/// For each row r in [begin, end): y[r] = row . x (+ bias[r], if not null), `x` as arrange() left it.
void multiply(const Matrix& matrix, std::size_t begin, std::size_t end, const float* x, const float* bias,
              float* y);

/// to = the `n` numbers from index `begin` on in float32, of a matrix in another type; those of blocks are
/// whole rows.
void widen(const Matrix& matrix, std::size_t begin, std::size_t n, float* to);

/// Returns how many of the first `n` numbers are NaN or infinite.
std::size_t notFinite(const Matrix& matrix, std::size_t n);

} // namespace headscope::network::dots
