#include "model/training/attention_kernels.h"

#include "model/trace/exponentials.h"
#include "model/trace/vectorised.h"

#include <algorithm>
#include <vector>

namespace headscope::training::kernels {

namespace {

/// Vector of floats; the compiler uses as many registers as it needs.
using Lanes = float __attribute__((vector_size(64)));
constexpr std::size_t lanes = 16;

constexpr std::size_t wholeLanes(std::size_t n) {
    return (n + lanes - 1) / lanes * lanes;
}

/// Rows of one head of one sentence, transposed: [width, wholeLanes(rows)], zero beyond the last row.
struct Turned {
    const float* data;
    std::size_t stride;
};

HEADSCOPE_INLINE Turned turn(const float* from, std::size_t stride, std::size_t rows, std::size_t width,
                             float* to) {
    const std::size_t columns = wholeLanes(rows);
    for (std::size_t d = 0; d < width; ++d) {
        for (std::size_t row = 0; row < rows; ++row)
            to[d * columns + row] = from[row * stride + d];
        for (std::size_t row = rows; row < columns; ++row)
            to[d * columns + row] = 0;
    }
    return {to, columns};
}

/// to[j] = factor * x . row j, for all j below `open`, rounded up to whole lanes.
HEADSCOPE_INLINE void products(float* to, const float* x, const Turned& rows, std::size_t open,
                               std::size_t width, float factor) {
    for (std::size_t j = 0; j < open; j += lanes) {
        Lanes sum{};
        for (std::size_t d = 0; d < width; ++d) {
            Lanes row;
            __builtin_memcpy(&row, rows.data + d * rows.stride + j, sizeof row);
            sum += x[d] * row;
        }
        sum *= factor;
        __builtin_memcpy(to + j, &sum, sizeof sum);
    }
}

HEADSCOPE_INLINE void addScaled(float* __restrict to, const float* __restrict x, float factor,
                                std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] += factor * x[i];
}

HEADSCOPE_INLINE void softmax(float* __restrict row, std::size_t n) {
    float largest = row[0];
    for (std::size_t j = 1; j < n; ++j)
        largest = row[j] > largest ? row[j] : largest;
    trace::exponentials(row, n, largest);
    float total = 0;
    for (std::size_t j = 0; j < n; ++j)
        total += row[j];
    const float share = 1 / total;
    for (std::size_t j = 0; j < n; ++j)
        row[j] *= share;
}

/// One head of one sentence.
struct Block {
    std::size_t queries;
    std::size_t keys;
    std::size_t firstQuery;
    std::size_t firstKey;
    std::size_t column; ///< first column of the head
    std::size_t cell;   ///< index of its first weight

    HEADSCOPE_INLINE float* query(const HeadRows& rows, std::size_t i) const {
        return rows.data + (firstQuery + i) * rows.stride + column;
    }
    HEADSCOPE_INLINE float* key(const HeadRows& rows, std::size_t j) const {
        return rows.data + (firstKey + j) * rows.stride + column;
    }
};

/// Iterates over the heads of all sentences. A class rather than a function taking a lambda, because a lambda
/// would be compiled without vector extensions.
class Blocks {
  public:
    explicit Blocks(const Attention& attention) : attention_(attention) {}

    HEADSCOPE_INLINE bool next(Block& block) {
        if (sentence_ == attention_.sentences)
            return false;
        block.firstQuery = static_cast<std::size_t>(attention_.queryBegin[sentence_]);
        block.firstKey = static_cast<std::size_t>(attention_.keyBegin[sentence_]);
        block.queries = static_cast<std::size_t>(attention_.queryBegin[sentence_ + 1]) - block.firstQuery;
        block.keys = static_cast<std::size_t>(attention_.keyBegin[sentence_ + 1]) - block.firstKey;
        block.column = head_ * attention_.headWidth;
        block.cell = cell_;
        cell_ += block.queries * block.keys;
        if (++head_ == attention_.heads) {
            head_ = 0;
            ++sentence_;
        }
        return true;
    }

  private:
    const Attention& attention_;
    std::size_t sentence_ = 0;
    std::size_t head_ = 0;
    std::size_t cell_ = 0;
};

HEADSCOPE_INLINE std::size_t allowedKeys(const Attention& attention, const Block& block, std::size_t query) {
    return attention.causal ? std::min(block.keys, query + 1) : block.keys;
}

std::size_t mostKeys(const Attention& attention) {
    std::int64_t most = 0;
    for (std::size_t s = 0; s < attention.sentences; ++s)
        most = std::max(most, attention.keyBegin[s + 1] - attention.keyBegin[s]);
    return wholeLanes(static_cast<std::size_t>(most));
}

} // namespace

std::size_t Attention::cells() const {
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < sentences; ++s)
        sum += (queryBegin[s + 1] - queryBegin[s]) * (keyBegin[s + 1] - keyBegin[s]);
    return heads * static_cast<std::size_t>(sum);
}

HEADSCOPE_VECTORISED(void, attend,
                     (const Attention& attention, const HeadRows& outputs, const HeadRows& q,
                      const HeadRows& k, const HeadRows& v, float* weights, const std::uint8_t* bytes),
                     (attention, outputs, q, k, v, weights, bytes)) {
    const std::size_t width = attention.headWidth;
    std::vector<float> turned(width * mostKeys(attention));
    std::vector<float> scores(mostKeys(attention));
    const float scale = attention.dropout.scale();
    Blocks blocks(attention);
    for (Block block{}; blocks.next(block);) {
        const Turned keys = turn(block.key(k, 0), k.stride, block.keys, width, turned.data());
        for (std::size_t i = 0; i < block.queries; ++i) {
            const std::size_t open = allowedKeys(attention, block, i);
            products(scores.data(), block.query(q, i), keys, open, width, attention.scale);
            softmax(scores.data(), open);
            const std::size_t row = block.cell + i * block.keys;
            float* const output = block.query(outputs, i);
            for (std::size_t d = 0; d < width; ++d)
                output[d] = 0;
            for (std::size_t j = 0; j < open; ++j) {
                weights[row + j] = scores[j];
                if (!bytes)
                    addScaled(output, block.key(v, j), scores[j], width);
                else if (bytes[row + j] >= attention.dropout.below)
                    addScaled(output, block.key(v, j), scores[j] * scale, width);
            }
            for (std::size_t j = open; j < block.keys; ++j)
                weights[row + j] = 0;
        }
    }
}

HEADSCOPE_VECTORISED(void, attendGradient,
                     (const Attention& attention, const HeadRows& gradient, const HeadRows& q,
                      const HeadRows& k, const HeadRows& v, const float* weights, const std::uint8_t* bytes,
                      const HeadRows& qGradient, const HeadRows& kGradient, const HeadRows& vGradient),
                     (attention, gradient, q, k, v, weights, bytes, qGradient, kGradient, vGradient)) {
    const std::size_t width = attention.headWidth;
    std::vector<float> turned(width * mostKeys(attention));
    std::vector<float> slopes(mostKeys(attention));
    const float scale = attention.dropout.scale();
    Blocks blocks(attention);
    for (Block block{}; blocks.next(block);) {
        const Turned values = turn(block.key(v, 0), v.stride, block.keys, width, turned.data());
        for (std::size_t j = 0; j < block.keys; ++j)
            for (std::size_t d = 0; d < width; ++d)
                block.key(kGradient, j)[d] = block.key(vGradient, j)[d] = 0;
        for (std::size_t i = 0; i < block.queries; ++i) {
            const std::size_t open = allowedKeys(attention, block, i);
            const std::size_t row = block.cell + i * block.keys;
            const float* const given = block.query(gradient, i);
            products(slopes.data(), given, values, open, width, 1);
            float even = 0;
            for (std::size_t j = 0; j < open; ++j) {
                float weight = weights[row + j];
                if (bytes) {
                    const float kept = bytes[row + j] >= attention.dropout.below ? scale : 0.0F;
                    slopes[j] *= kept;
                    weight *= kept;
                }
                even += slopes[j] * weights[row + j];
                addScaled(block.key(vGradient, j), given, weight, width);
            }
            float* const ofQuery = block.query(qGradient, i);
            for (std::size_t d = 0; d < width; ++d)
                ofQuery[d] = 0;
            for (std::size_t j = 0; j < open; ++j) {
                const float slope = weights[row + j] * (slopes[j] - even) * attention.scale;
                addScaled(ofQuery, block.key(k, j), slope, width);
                addScaled(block.key(kGradient, j), block.query(q, i), slope, width);
            }
        }
    }
}

} // namespace headscope::training::kernels
