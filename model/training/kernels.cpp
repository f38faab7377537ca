#include "model/training/kernels.h"

#include "model/trace/exponentials.h"
#include "model/trace/vectorised.h"

#include <algorithm>
#include <cmath>

namespace headscope::training::kernels {

namespace {

using trace::randomWord;

HEADSCOPE_INLINE float kept(const std::uint8_t* bytes, std::size_t i, int below, float scale, float x) {
    return bytes[i] >= below ? x * scale : 0.0F;
}

/// Value and slope of an activation.
struct Point {
    float value;
    float slope;
};

Point activationAt(network::Activation activation, float x) {
    switch (activation) {
    case network::Activation::Relu:
        return {x > 0 ? x : 0.0F, x > 0 ? 1.0F : 0.0F};
    case network::Activation::Gelu: {
        const float below = 0.5F * (1 + std::erf(x * 0.70710678118654752F));
        return {x * below, below + x * 0.39894228040143268F * std::exp(-0.5F * x * x)};
    }
    case network::Activation::GeluTanh: {
        const float inner = 0.79788456080286536F * (x + 0.044715F * x * x * x);
        const float t = std::tanh(inner);
        const float slope = 0.79788456080286536F * (1 + 3 * 0.044715F * x * x);
        return {0.5F * x * (1 + t), 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * slope};
    }
    case network::Activation::Silu: {
        const float sigmoid = 1 / (1 + std::exp(-x));
        return {x * sigmoid, sigmoid * (1 + x * (1 - sigmoid))};
    }
    case network::Activation::Tanh: {
        const float t = std::tanh(x);
        return {t, 1 - t * t};
    }
    }
    return {};
}

} // namespace

int dropoutThreshold(double probability) {
    return static_cast<int>(std::lround(probability * 256));
}

HEADSCOPE_VECTORISED(void, randomBytes, (const Dropout& dropout, std::uint8_t* bytes, std::size_t n),
                     (dropout, bytes, n)) {
    const auto low = static_cast<std::uint32_t>(dropout.key);
    const auto high = static_cast<std::uint32_t>(dropout.key >> 32);
    constexpr std::size_t atOnce = 64;
    std::uint32_t words[atOnce];
    for (std::size_t at = 0; at < n; at += 4 * atOnce) {
        const auto first = static_cast<std::uint32_t>(at / 4);
        for (std::size_t i = 0; i < atOnce; ++i)
            words[i] = randomWord(first + static_cast<std::uint32_t>(i), low, high);
        std::memcpy(bytes + at, words, std::min(4 * atOnce, n - at));
    }
}

HEADSCOPE_VECTORISED(void, addDropped,
                     (float* __restrict to, const float* __restrict x, const float* __restrict added,
                      const std::uint8_t* __restrict bytes, const Dropout& dropout, std::size_t n),
                     (to, x, added, bytes, dropout, n)) {
    const int below = dropout.below;
    const float scale = dropout.scale();
    if (!bytes)
        for (std::size_t i = 0; i < n; ++i)
            to[i] = x[i] + added[i];
    else
        for (std::size_t i = 0; i < n; ++i)
            to[i] = x[i] + kept(bytes, i, below, scale, added[i]);
}

HEADSCOPE_VECTORISED(void, dropGradient,
                     (float* to, const float* gradient, const std::uint8_t* bytes, const Dropout& dropout,
                      std::size_t n),
                     (to, gradient, bytes, dropout, n)) {
    const int below = dropout.below;
    const float scale = dropout.scale();
#pragma GCC ivdep // the arrays may be the same
    for (std::size_t i = 0; i < n; ++i)
        to[i] = kept(bytes, i, below, scale, gradient[i]);
}

HEADSCOPE_VECTORISED(void, rectify,
                     (float* __restrict y, const std::uint8_t* __restrict bytes, const Dropout& dropout,
                      std::size_t n),
                     (y, bytes, dropout, n)) {
    const int below = dropout.below;
    const float scale = dropout.scale();
    // NaN stays NaN, so that it appears in the loss.
    if (!bytes)
        for (std::size_t i = 0; i < n; ++i)
            y[i] = y[i] < 0 ? 0.0F : y[i];
    else
        for (std::size_t i = 0; i < n; ++i)
            y[i] = kept(bytes, i, below, scale, y[i] < 0 ? 0.0F : y[i]);
}

HEADSCOPE_VECTORISED(void, rectifyGradient,
                     (float* __restrict gradient, const float* __restrict y, float scale, std::size_t n),
                     (gradient, y, scale, n)) {
    for (std::size_t i = 0; i < n; ++i)
        gradient[i] = y[i] > 0 ? gradient[i] * scale : 0.0F;
}

void activate(network::Activation activation, float* y, const float* x, const std::uint8_t* bytes,
              const Dropout& dropout, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = activationAt(activation, x[i]).value;
        if (bytes)
            y[i] = kept(bytes, i, dropout.below, dropout.scale(), y[i]);
    }
}

void activateGradient(network::Activation activation, float* gradient, const float* x,
                      const std::uint8_t* bytes, const Dropout& dropout, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        gradient[i] *= activationAt(activation, x[i]).slope;
        if (bytes)
            gradient[i] = kept(bytes, i, dropout.below, dropout.scale(), gradient[i]);
    }
}

HEADSCOPE_VECTORISED(void, add, (float* __restrict to, const float* __restrict x, std::size_t n),
                     (to, x, n)) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] += x[i];
}

HEADSCOPE_VECTORISED(void, addColumnSums,
                     (float* __restrict sums, const float* __restrict x, std::size_t rows,
                      std::size_t columns),
                     (sums, x, rows, columns)) {
    for (std::size_t row = 0; row < rows; ++row, x += columns)
        for (std::size_t i = 0; i < columns; ++i)
            sums[i] += x[i];
}

HEADSCOPE_VECTORISED(void, embed,
                     (const Embedding& embedding, float* __restrict to, const float* __restrict weights,
                      const float* __restrict positions),
                     (embedding, to, weights, positions)) {
    const std::size_t width = embedding.width;
    for (std::size_t row = 0; row < embedding.ids.size(); ++row, to += width) {
        const float* const word = weights + static_cast<std::size_t>(embedding.ids[row]) * width;
        for (std::size_t i = 0; i < width; ++i)
            to[i] = word[i] * embedding.scale;
        if (!positions)
            continue;
        const float* const place = positions + static_cast<std::size_t>(embedding.places[row]) * width;
        for (std::size_t i = 0; i < width; ++i)
            to[i] += place[i];
    }
}

HEADSCOPE_VECTORISED(void, embedGradient,
                     (const Embedding& embedding, float* __restrict weights, float* __restrict positions,
                      const float* __restrict gradient),
                     (embedding, weights, positions, gradient)) {
    const std::size_t width = embedding.width;
    for (std::size_t row = 0; row < embedding.ids.size(); ++row, gradient += width) {
        float* const word = weights + static_cast<std::size_t>(embedding.ids[row]) * width;
        for (std::size_t i = 0; i < width; ++i)
            word[i] += gradient[i] * embedding.scale;
        if (!positions)
            continue;
        float* const place = positions + static_cast<std::size_t>(embedding.places[row]) * width;
        for (std::size_t i = 0; i < width; ++i)
            place[i] += gradient[i];
    }
}

HEADSCOPE_VECTORISED(Losses, smoothedCrossEntropy,
                     (float* logits, const std::int64_t* wanted, std::size_t rows, std::size_t vocabulary,
                      float smoothing, float factor),
                     (logits, wanted, rows, vocabulary, smoothing, factor)) {
    Losses losses;
    const auto size = static_cast<float>(vocabulary);
    for (std::size_t row = 0; row < rows; ++row) {
        float* __restrict const z = logits + row * vocabulary;
        const auto target = static_cast<std::size_t>(wanted[row]);
        float largest = z[0];
        float sum = 0;
        for (std::size_t i = 0; i < vocabulary; ++i) {
            largest = z[i] > largest ? z[i] : largest;
            sum += z[i];
        }
        const float ofTarget = z[target];
        losses.right += ofTarget == largest;
        trace::exponentials(z, vocabulary, largest);
        float total = 0;
        for (std::size_t i = 0; i < vocabulary; ++i)
            total += z[i];
        const double logTotal = std::log(static_cast<double>(total)) + largest;
        const double plain = logTotal - ofTarget;
        losses.plain += plain;
        losses.smoothed += (1 - smoothing) * plain + smoothing * (logTotal - sum / size);
        const float share = factor / total;
        const float even = factor * smoothing / size;
        for (std::size_t i = 0; i < vocabulary; ++i)
            z[i] = z[i] * share - even;
        z[target] -= factor * (1 - smoothing);
    }
    return losses;
}

HEADSCOPE_VECTORISED(double, sumGradients,
                     (float* to, const float* const* parts, std::size_t count, std::size_t n),
                     (to, parts, count, n)) {
    constexpr std::size_t atOnce = 4096; // fits into the first-level cache
    double squares = 0;
    for (std::size_t at = 0; at < n; at += atOnce) {
        const std::size_t end = std::min(n, at + atOnce);
        for (std::size_t part = 0; part < count; ++part) {
            const float* const x = parts[part];
            if (x == to)
                continue;
            for (std::size_t i = at; i < end; ++i)
                to[i] += x[i];
        }
        float sum = 0;
        for (std::size_t i = at; i < end; ++i)
            sum += to[i] * to[i];
        squares += sum;
    }
    return squares;
}

HEADSCOPE_VECTORISED(void, adam,
                     (const AdamStep& step, float* __restrict value, float* __restrict first,
                      float* __restrict second, const float* __restrict gradient, std::size_t n),
                     (step, value, first, second, gradient, n)) {
    const float rate = step.rate / step.correction1;
    const float unbias = 1 / step.correction2;
    const float kept = 1 - step.rate * step.decay;
    for (std::size_t i = 0; i < n; ++i) {
        const float g = gradient[i] * step.factor + step.penalty * value[i];
        first[i] = step.beta1 * first[i] + (1 - step.beta1) * g;
        second[i] = step.beta2 * second[i] + (1 - step.beta2) * g * g;
        value[i] = kept * value[i] - rate * first[i] / (std::sqrt(second[i] * unbias) + step.epsilon);
    }
}

} // namespace headscope::training::kernels
