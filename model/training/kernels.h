#pragma once

#include "model/network/network_config.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// Loops for training on the CPU over plain memory. Each makes a single pass where LibTorch's operators would
/// make about five. Matrices are row-major. Every function runs on one thread.
namespace headscope::training::kernels {

/// Dropout (Srivastava et al. 2014) of one tensor: an element is dropped if its random byte is less than
/// `below`. The bytes depend only on `key` and the index of the element, so that a resumed training repeats
/// them without saved state.
struct Dropout {
    std::uint64_t key = 0;
    int below = 0; ///< out of 256; 0: nothing is dropped
    float scale() const { return 256.0F / static_cast<float>(256 - below); }
};

/// Returns the probability in units of 1/256, rounded.
int dropoutThreshold(double probability);

void randomBytes(const Dropout& dropout, std::uint8_t* bytes, std::size_t n);

/// to = x + dropped(added), n elements. `bytes` null: nothing is dropped.
void addDropped(float* to, const float* x, const float* added, const std::uint8_t* bytes,
                const Dropout& dropout, std::size_t n);
/// to = scaled gradient of kept elements, 0 for dropped ones. The two may be the same array.
void dropGradient(float* to, const float* gradient, const std::uint8_t* bytes, const Dropout& dropout,
                  std::size_t n);

/// Applies ReLU and dropout to y in place. The gradient needs only y.
void rectify(float* y, const std::uint8_t* bytes, const Dropout& dropout, std::size_t n);
void rectifyGradient(float* gradient, const float* y, float scale, std::size_t n);
/// The other activations need their input x for the gradient.
void activate(network::Activation activation, float* y, const float* x, const std::uint8_t* bytes,
              const Dropout& dropout, std::size_t n);
void activateGradient(network::Activation activation, float* gradient, const float* x,
                      const std::uint8_t* bytes, const Dropout& dropout, std::size_t n);

void add(float* to, const float* x, std::size_t n);

/// Converts to bfloat16: the upper half of a float, rounded to nearest.
void toBfloat16(std::uint16_t* to, const float* x, std::size_t n);
/// to = x, or to += x.
void fromBfloat16(float* to, const std::uint16_t* x, std::size_t n);
void addBfloat16(float* to, const std::uint16_t* x, std::size_t n);
/// Each row of to = the row of x plus bias (null: none).
void fromBfloat16WithBias(float* to, const std::uint16_t* x, const float* bias, std::size_t rows,
                          std::size_t columns);
/// sums[columns] += the sum of x's rows.
void addColumnSums(float* sums, const float* x, std::size_t rows, std::size_t columns);

/// Norms of network::Norm. `mean` and `divisor`, one per row, are stored for the gradient.
struct Norm {
    network::NormKind kind = network::NormKind::LayerNorm;
    float epsilon = 1e-5F;
    const float* gain = nullptr;
    const float* bias = nullptr; ///< null: none
};
void normalise(const Norm& norm, float* y, const float* x, float* mean, float* divisor, std::size_t rows,
               std::size_t width);
/// Adds to the gradients of x, gain and bias.
void normaliseGradient(const Norm& norm, float* xGradient, float* gainGradient, float* biasGradient,
                       const float* gradient, const float* x, const float* mean, const float* divisor,
                       std::size_t rows, std::size_t width);

/// Rows of embeddings times `scale`, plus the rows `places` of `positions` (null: none).
struct Embedding {
    std::size_t width = 0;
    float scale = 1;
    std::span<const std::int64_t> ids;
    std::span<const std::int64_t> places;
};
void embed(const Embedding& embedding, float* to, const float* weights, const float* positions);
void embedGradient(const Embedding& embedding, float* weights, float* positions, const float* gradient);

/// Softmax cross-entropy of each row of logits [rows, vocabulary] with a smoothed target (Szegedy et al.
/// 2016, section 7): 1 - smoothing on the wanted token, plus smoothing distributed uniformly over all.
/// Replaces `logits` by the gradient of the sum of losses, times `factor`. Returns the sums of the smoothed
/// and of the plain losses.
struct Losses {
    double smoothed = 0;
    double plain = 0;
    std::size_t right = 0; ///< rows whose largest logit is that of the wanted token
};
Losses smoothedCrossEntropy(float* logits, const std::int64_t* wanted, std::size_t rows,
                            std::size_t vocabulary, float smoothing, float factor);

/// to = sum of all parts. Returns the sum of squares of the result.
double sumGradients(float* to, const float* const* parts, std::size_t count, std::size_t n);

/// Adam with bias-corrected moments (Kingma & Ba 2015, algorithm 1) and optional decoupled weight decay
/// (Loshchilov & Hutter 2019, algorithm 2). `gradient` is first multiplied by `factor`.
struct AdamStep {
    float rate = 0;
    float beta1 = 0.9F;
    float beta2 = 0.98F;
    float epsilon = 1e-9F;
    float correction1 = 1; ///< 1 - beta1^step
    float correction2 = 1;
    float decay = 0;
    float penalty = 0; ///< L2 penalty, added to the gradient
    float factor = 1;
};
void adam(const AdamStep& step, float* value, float* first, float* second, const float* gradient,
          std::size_t n);

} // namespace headscope::training::kernels
