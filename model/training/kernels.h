#pragma once

#include "model/network/network_config.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// The loops of training on the processor, over plain memory, so that each is one pass: what LibTorch's
/// single operators would do in five. Matrices are row-major. Every function works on one thread.
namespace headscope::training::kernels {

/// A dropout (Srivastava et al. 2014) of one tensor: an element is dropped if its random byte is below
/// `below`. The bytes are a function of `key` and the element's place alone, so that nothing has to be saved
/// to go on with the same ones.
struct Dropout {
    std::uint64_t key = 0;
    int below = 0; ///< of 256; 0: nothing is dropped
    float scale() const { return 256.0F / static_cast<float>(256 - below); }
};

/// How many of 256 come nearest to a probability.
int dropoutThreshold(double probability);

void randomBytes(const Dropout& dropout, std::uint8_t* bytes, std::size_t n);

/// to = x + dropped(added), n elements; without `bytes` nothing is dropped.
void addDropped(float* to, const float* x, const float* added, const std::uint8_t* bytes,
                const Dropout& dropout, std::size_t n);
/// to = gradient where it was kept, scaled; the two may be one.
void dropGradient(float* to, const float* gradient, const std::uint8_t* bytes, const Dropout& dropout,
                  std::size_t n);

/// y in place: rectified and dropped. The gradient needs y alone.
void rectify(float* y, const std::uint8_t* bytes, const Dropout& dropout, std::size_t n);
void rectifyGradient(float* gradient, const float* y, float scale, std::size_t n);
/// The other activations keep their input x.
void activate(network::Activation activation, float* y, const float* x, const std::uint8_t* bytes,
              const Dropout& dropout, std::size_t n);
void activateGradient(network::Activation activation, float* gradient, const float* x,
                      const std::uint8_t* bytes, const Dropout& dropout, std::size_t n);

void add(float* to, const float* x, std::size_t n);

/// Numbers of 16 bits: the first half of a float's, rounded to the nearest.
void toBfloat16(std::uint16_t* to, const float* x, std::size_t n);
/// to = x; or to += x.
void fromBfloat16(float* to, const std::uint16_t* x, std::size_t n);
void addBfloat16(float* to, const std::uint16_t* x, std::size_t n);
/// Each row of to = the same of x, plus bias (null: none).
void fromBfloat16(float* to, const std::uint16_t* x, const float* bias, std::size_t rows,
                  std::size_t columns);
/// sums[columns] += the sum of x's rows.
void addColumnSums(float* sums, const float* x, std::size_t rows, std::size_t columns);

/// The norms of network::Norm. `mean` and `divisor` are kept for the gradient, one a row.
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

/// Rows of embeddings times `scale`, plus the row of `places` in `positions` (null: none).
struct Embedding {
    std::size_t width = 0;
    float scale = 1;
    std::span<const std::int64_t> ids;
    std::span<const std::int64_t> places;
};
void embed(const Embedding& embedding, float* to, const float* weights, const float* positions);
void embedGradient(const Embedding& embedding, float* weights, float* positions, const float* gradient);

/// Softmax of each row of logits [rows, vocabulary] against a target that is smoothed (Szegedy et al. 2016,
/// section 7): 1 - smoothing on the wanted token, smoothing spread evenly over all. `logits` become the
/// gradient of the sum of losses, times `factor`. Returns the sum of the smoothed losses, and of the losses
/// of the wanted tokens alone.
struct Losses {
    double smoothed = 0;
    double plain = 0;
    std::size_t right = 0; ///< rows whose largest logit is the wanted one
};
Losses smoothedCrossEntropy(float* logits, const std::int64_t* wanted, std::size_t rows,
                            std::size_t vocabulary, float smoothing, float factor);

/// to = sum of all parts; returns the sum of its squares.
double sumGradients(float* to, const float* const* parts, std::size_t count, std::size_t n);

/// Adam with bias-corrected moments (Kingma & Ba 2015, algorithm 1), the weight decay apart from the gradient
/// (Loshchilov & Hutter 2019, algorithm 2). `gradient` is multiplied by `factor` first.
struct AdamStep {
    float rate = 0;
    float beta1 = 0.9F;
    float beta2 = 0.98F;
    float epsilon = 1e-9F;
    float correction1 = 1; ///< 1 - beta1^step
    float correction2 = 1;
    float decay = 0;
    float penalty = 0; ///< of the squared values, in the gradient
    float factor = 1;
};
void adam(const AdamStep& step, float* value, float* first, float* second, const float* gradient,
          std::size_t n);

} // namespace headscope::training::kernels
