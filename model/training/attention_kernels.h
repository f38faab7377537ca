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

/// Multi-head attention over packed sentences: scaled dot products, softmax, dropout, sum of values (Vaswani
/// et al. 2017, equation 1). Queries and keys of sentence s begin at queryBegin[s] and keyBegin[s]; each
/// sentence attends only to its own keys.
struct Attention {
    std::size_t sentences = 0;
    const std::int64_t* queryBegin = nullptr; ///< [sentences + 1]
    const std::int64_t* keyBegin = nullptr;   ///< [sentences + 1]
    std::size_t heads = 0;
    std::size_t headWidth = 0;
    float scale = 1;
    bool causal = false; ///< query t attends to keys 0 to t
    Dropout dropout;

    /// Returns the number of weights.
    std::size_t cells() const;
};

/// Computes outputs [queries, heads * headWidth]. Writes `weights` [cells()] before dropout, needed for the
/// gradient: [heads, queries, keys] for each sentence. `bytes` [cells()] are the random bytes of dropout;
/// null without dropout.
void attend(const Attention& attention, const HeadRows& outputs, const HeadRows& q, const HeadRows& k,
            const HeadRows& v, float* weights, const std::uint8_t* bytes);

/// Computes the gradients of q, k and v.
void attendGradient(const Attention& attention, const HeadRows& gradient, const HeadRows& q,
                    const HeadRows& k, const HeadRows& v, const float* weights, const std::uint8_t* bytes,
                    const HeadRows& qGradient, const HeadRows& kGradient, const HeadRows& vGradient);

} // namespace headscope::training::kernels
