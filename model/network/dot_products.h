#pragma once

#include <cstddef>
#include <cstdint>

/// Loops over plain memory for products of a matrix with few vectors. Each runs on one thread, with the
/// widest vector registers that the processor has.
namespace headscope::network::dots {

/// bfloat16: the upper half of a float. float16: IEEE 754 binary16, finite.
enum class Element { Float32, BFloat16, Float16 };

/// Rows of a matrix in memory order, `columns` numbers each.
struct Matrix {
    Element element = Element::Float32;
    const void* first = nullptr;
    std::size_t columns = 0;
};

/// Arranges a vector for multiply(): in blocks, so that the two numbers in each word of a 16-bit matrix meet
/// theirs.
void arrange(Element element, float* to, const float* x, std::size_t n);

/// For each row r in [begin, end): y[r] = row . x (+ bias[r], if not null), `x` as arrange() left it.
void multiply(const Matrix& matrix, std::size_t begin, std::size_t end, const float* x, const float* bias,
              float* y);

/// to = the `n` numbers from index `begin` on, of a matrix in 16 bits, in float32.
void widen(const Matrix& matrix, std::size_t begin, std::size_t n, float* to);

/// Returns how many of the first `n` numbers are NaN or infinite.
std::size_t notFinite(const Matrix& matrix, std::size_t n);

} // namespace headscope::network::dots
