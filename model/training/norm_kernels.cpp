#include "model/trace/vectorised.h"
#include "model/training/kernels.h"

#include <cmath>

namespace headscope::training::kernels {

namespace {

using network::NormKind;

/// Returns the divisor of a row from the sum of squares of its values, centred if the norm centres.
HEADSCOPE_INLINE float divisorOf(const Norm& norm, float squares, std::size_t width) {
    switch (norm.kind) {
    case NormKind::LayerNorm:
    case NormKind::RootMeanSquare:
        return std::sqrt(squares / static_cast<float>(width) + norm.epsilon);
    case NormKind::AnnotatedLayerNorm:
        return std::sqrt(squares / static_cast<float>(width - 1)) + norm.epsilon;
    }
    return 1;
}

/// Returns the coefficient of the centred row that is subtracted from its gradient, per unit of the dot
/// product of gradient and centred row.
HEADSCOPE_INLINE float lostShare(const Norm& norm, float divisor, std::size_t width) {
    if (norm.kind != NormKind::AnnotatedLayerNorm)
        return 1 / (divisor * divisor * divisor * static_cast<float>(width));
    const float deviation = divisor - norm.epsilon;
    return deviation > 0 ? 1 / (divisor * divisor * deviation * static_cast<float>(width - 1)) : 0;
}

} // namespace

HEADSCOPE_VECTORISED(void, normalise,
                     (const Norm& norm, float* __restrict y, const float* __restrict x,
                      float* __restrict mean, float* __restrict divisor, std::size_t rows, std::size_t width),
                     (norm, y, x, mean, divisor, rows, width)) {
    for (std::size_t row = 0; row < rows; ++row, x += width, y += width) {
        float middle = 0;
        if (norm.kind != NormKind::RootMeanSquare) {
            for (std::size_t i = 0; i < width; ++i)
                middle += x[i];
            middle /= static_cast<float>(width);
        }
        float squares = 0;
        for (std::size_t i = 0; i < width; ++i)
            squares += (x[i] - middle) * (x[i] - middle);
        mean[row] = middle;
        divisor[row] = divisorOf(norm, squares, width);
        const float factor = 1 / divisor[row];
        if (norm.bias)
            for (std::size_t i = 0; i < width; ++i)
                y[i] = norm.gain[i] * ((x[i] - middle) * factor) + norm.bias[i];
        else
            for (std::size_t i = 0; i < width; ++i)
                y[i] = norm.gain[i] * ((x[i] - middle) * factor);
    }
}

HEADSCOPE_VECTORISED(void, normaliseGradient,
                     (const Norm& norm, float* __restrict xGradient, float* __restrict gainGradient,
                      float* __restrict biasGradient, const float* __restrict gradient,
                      const float* __restrict x, const float* __restrict mean,
                      const float* __restrict divisor, std::size_t rows, std::size_t width),
                     (norm, xGradient, gainGradient, biasGradient, gradient, x, mean, divisor, rows, width)) {
    const bool centres = norm.kind != NormKind::RootMeanSquare;
    for (std::size_t row = 0; row < rows; ++row, x += width, gradient += width, xGradient += width) {
        const float middle = mean[row];
        const float factor = 1 / divisor[row];
        float sum = 0;
        float product = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const float centred = x[i] - middle;
            const float given = gradient[i] * norm.gain[i];
            sum += given;
            product += given * centred;
            gainGradient[i] += gradient[i] * centred * factor;
        }
        if (biasGradient)
            for (std::size_t i = 0; i < width; ++i)
                biasGradient[i] += gradient[i];
        const float even = centres ? sum / static_cast<float>(width) : 0;
        const float lost = product * lostShare(norm, divisor[row], width);
        for (std::size_t i = 0; i < width; ++i)
            xGradient[i] += (gradient[i] * norm.gain[i] - even) * factor - (x[i] - middle) * lost;
    }
}

} // namespace headscope::training::kernels
