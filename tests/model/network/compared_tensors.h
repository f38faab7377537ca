#pragma once

#include "model/network/network_config.h"
#include "tests/compared_numbers.h"

#include <ATen/ATen.h>

#include <span>
#include <string>
#include <vector>

/// Comparisons of tensors, and a tensor with the limit of each of its numbers.
namespace headscope::tests {

/// [...] -> its numbers, in float64.
inline std::vector<double> numbersOf(const at::Tensor& tensor) {
    const auto wide = tensor.to(at::kDouble).contiguous();
    return {wide.data_ptr<double>(), wide.data_ptr<double>() + wide.numel()};
}

inline double largestSize(const at::Tensor& tensor) {
    return largestSize(numbersOf(tensor));
}

inline Comparison compare(const std::string& array, const at::Tensor& found, const at::Tensor& expected,
                          const std::function<Limit(std::size_t)>& limitAt) {
    const auto sizes = expected.sizes();
    return compare(array, numbersOf(found), numbersOf(expected), limitAt, {sizes.begin(), sizes.end()});
}

inline Comparison compare(const std::string& array, const at::Tensor& found, const at::Tensor& expected,
                          const Limit& limit) {
    return compare(array, found, expected, [&](std::size_t) { return limit; });
}

/// Numbers in float64, and how far from each float32 may be after the same steps: running error analysis
/// (Higham 2002, 3.3). Products of two errors are left out.
struct Bounded {
    at::Tensor value;
    at::Tensor error; ///< of the shape of `value`
    std::string steps;

    /// Exact numbers.
    explicit Bounded(const at::Tensor& exact) : value(exact.to(at::kDouble)), error(at::zeros_like(value)) {}
    Bounded(at::Tensor value_, at::Tensor error_, std::string steps_)
        : value(std::move(value_)), error(std::move(error_)), steps(std::move(steps_)) {}

    Bounded operator[](std::int64_t row) const { return {value[row], error[row], steps}; }
    Bounded with(const at::Tensor& value_, const at::Tensor& error_) const { return {value_, error_, steps}; }
};

inline Comparison compare(const std::string& array, const at::Tensor& found, const Bounded& expected) {
    const auto errors = numbersOf(expected.error);
    const Limit limit{.origin = "running error in float32 of" + expected.steps};
    return compare(array, found, expected.value, [&](std::size_t i) {
        return Limit{errors[i], limit.origin};
    });
}

/// The factor of ofSum().
inline double ofTerms(std::int64_t terms) {
    return ofSum(static_cast<std::size_t>(terms), 1).distance;
}

/// x W^T + b, [n, in] -> [n, out].
inline Bounded linear(const Bounded& x, const at::Tensor& weight, const at::Tensor& bias = {}) {
    const auto wide = weight.to(at::kDouble);
    const auto wideBias = bias.defined() ? bias.to(at::kDouble) : at::zeros({wide.size(0)}, at::kDouble);
    const auto terms = wide.size(1) + (bias.defined() ? 1 : 0);
    return {at::linear(x.value, wide, wideBias),
            at::linear(x.error, wide.abs()) +
                ofTerms(terms) * at::linear(x.value.abs(), wide.abs(), wideBias.abs()),
            x.steps + ", sum of " + std::to_string(terms) + " products"};
}

/// [..., n, k] x [..., k, m] -> [..., n, m].
inline Bounded product(const Bounded& one, const Bounded& other) {
    const auto terms = one.value.size(-1);
    return {at::matmul(one.value, other.value),
            at::matmul(one.error, other.value.abs()) + at::matmul(one.value.abs(), other.error) +
                ofTerms(terms) * at::matmul(one.value.abs(), other.value.abs()),
            one.steps + ", sum of " + std::to_string(terms) + " products"};
}

inline Bounded operator+(const Bounded& one, const Bounded& other) {
    const auto sum = one.value + other.value;
    return {sum, one.error + other.error + float32 * sum.abs(), one.steps + ", sum with" + other.steps};
}

inline Bounded operator*(double factor, const Bounded& x) {
    const auto value = factor * x.value;
    return {value, std::abs(factor) * x.error + float32 * value.abs(), x.steps};
}

/// Over the last dimension. An error of the scores changes a weight by a factor of at most exp(2 error).
inline Bounded softmax(const Bounded& scores) {
    const auto weights = scores.value.softmax(-1);
    const auto keys = static_cast<std::size_t>(weights.size(-1));
    const auto own = ofSoftmax(keys, largestSize(scores.value)).distance;
    return {weights, weights * (at::expm1(2 * scores.error.amax(-1, /*keepdim=*/true)) + own),
            scores.steps + ", softmax of " + std::to_string(keys)};
}

/// A norm of rows of `width` numbers: mean and squares are sums of as many; the variance may be found in one
/// pass over the numbers, which has the rounding of their distance from 0 (Chan, Golub and LeVeque 1983).
inline Bounded norm(const Bounded& x, network::NormKind kind, double epsilon, const at::Tensor& gain,
                    const at::Tensor& bias = {}) {
    using network::NormKind;
    const auto width = x.value.size(-1);
    const bool centres = kind != NormKind::RootMeanSquare;
    const auto meanOf = [](const at::Tensor& numbers) { return numbers.mean(-1, /*keepdim=*/true); };
    const auto sizes = x.value.abs();
    const auto mean = centres ? meanOf(x.value) : at::zeros_like(meanOf(x.value));
    const auto centred = x.value - mean;
    const auto variance = meanOf(centred.square());
    const auto unbiased = variance * (static_cast<double>(width) / static_cast<double>(width - 1));
    const auto divisor =
        kind == NormKind::AnnotatedLayerNorm ? unbiased.sqrt() + epsilon : (variance + epsilon).sqrt();
    const auto moved = centres ? x.error + meanOf(x.error) : x.error;
    const auto ofCentred =
        moved +
        (centres ? ofTerms(width) * meanOf(sizes) + 2 * float32 * (sizes + mean.abs()) : at::zeros({1}));
    const auto condition = (meanOf(sizes.square()) / variance).sqrt();
    const auto ofDivisor =
        meanOf(moved.square()).sqrt() / divisor + ofTerms(width + 4) / 2 * condition; // relative
    const auto scaled = gain.to(at::kDouble) * centred / divisor;
    const auto value = bias.defined() ? scaled + bias.to(at::kDouble) : scaled;
    return {value,
            gain.to(at::kDouble).abs() / divisor * ofCentred + scaled.abs() * (ofDivisor + 4 * float32) +
                float32 * value.abs(),
            x.steps + ", norm of " + std::to_string(width)};
}

} // namespace headscope::tests
