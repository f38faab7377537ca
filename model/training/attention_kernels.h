#pragma once

#include "model/training/kernels.h"

#include <cstddef>
#include <cstdint>

namespace headscope::training::kernels {

/// Rows of one of q, k, v or their gradients: head h of row i begins at data + i * stride + h * headWidth.
struct HeadRows {
    float* data = nullptr;
    std::size_t stride = 0;
};

/// Attention in several heads over packed sentences: those of queries and keys begin at queryBegin[s] and
/// keyBegin[s], and each sees only its own. Scaled dot products, softmax, dropout, sum of values (Vaswani et
/// al. 2017, equation 1).
struct Attention {
    std::size_t sentences = 0;
    const std::int64_t* queryBegin = nullptr; ///< [sentences + 1]
    const std::int64_t* keyBegin = nullptr;   ///< [sentences + 1]
    std::size_t heads = 0;
    std::size_t headWidth = 0;
    float scale = 1;
    bool causal = false; ///< query t sees the keys 0 to t
    Dropout dropout;

    /// How many weights there are.
    std::size_t cells() const;
};

/// outputs [queries, heads * headWidth]; `weights` [cells()], before dropout, and `bytes` [cells()] where
/// there is dropout are kept for the gradient: of each sentence [heads, queries, keys].
void attend(const Attention& attention, const HeadRows& outputs, const HeadRows& q, const HeadRows& k,
            const HeadRows& v, float* weights, const std::uint8_t* bytes);

/// Writes the gradients of q, k and v.
void attendGradient(const Attention& attention, const HeadRows& gradient, const HeadRows& q,
                    const HeadRows& k, const HeadRows& v, const float* weights, const std::uint8_t* bytes,
                    const HeadRows& qGradient, const HeadRows& kGradient, const HeadRows& vGradient);

} // namespace headscope::training::kernels
