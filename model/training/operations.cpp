#include "model/training/operations.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <limits>

namespace headscope::training {

namespace {

/// Mixes the bits of x (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

} // namespace

LossSums& LossSums::operator+=(const LossSums& other) {
    smoothed += other.smoothed;
    plain += other.plain;
    right += other.right;
    answers += other.answers;
    return *this;
}

Operations::Operations(at::Tensor parameters, at::Tensor gradients, const DropoutSource& dropout,
                       bool rounded)
    : parameters_(std::move(parameters)), gradients_(std::move(gradients)), dropout_(dropout.probability),
      rounded_(rounded), random_(at::make_generator<at::CPUGeneratorImpl>(
                             mixed(mixed(mixed(dropout.seed) + dropout.step) + dropout.part))) {}

at::Tensor Operations::parameter(const Slice& slice) {
    if (!slice)
        return {};
    auto& leaf = leaves_[{slice.begin, slice.size()}];
    if (!leaf.defined()) {
        leaf = slice.of(parameters_).detach();
        if (differentiates()) {
            leaf.requires_grad_();
            leaf.mutable_grad() = slice.of(gradients_).detach();
        }
    }
    return leaf;
}

at::Tensor Operations::embed(const EmbeddingWeights& weights, const SentenceRows& tokens) {
    const auto x = parameter(weights.weight).index_select(0, tokens.ids) * weights.scale;
    const auto positions = weights.positions ? parameter(weights.positions) : weights.table;
    return positions.defined() ? x + positions.index_select(0, tokens.places) : x;
}

at::Tensor Operations::linear(const at::Tensor& x, const LinearWeights& weights) {
    const auto weight = parameter(weights.weight);
    const auto bias = parameter(weights.bias);
    if (!rounded_)
        return at::linear(x, weight, bias);
    const auto y = at::linear(x.to(at::kBFloat16), weight.to(at::kBFloat16)).to(at::kFloat);
    return bias.defined() ? y + bias : y;
}

at::Tensor Operations::norm(const at::Tensor& x, const NormWeights& weights) {
    const auto gain = parameter(weights.gain);
    const auto bias = parameter(weights.bias);
    if (weights.kind == network::NormKind::LayerNorm)
        return at::layer_norm(x, {x.size(-1)}, gain, bias, weights.epsilon);
    at::Tensor y;
    if (weights.kind == network::NormKind::RootMeanSquare)
        y = gain * x / (x.square().mean(-1, /*keepdim=*/true) + weights.epsilon).sqrt();
    else
        y = gain * (x - x.mean(-1, /*keepdim=*/true)) /
            (x.std(-1, /*unbiased=*/true, /*keepdim=*/true) + weights.epsilon);
    return bias.defined() ? y + bias : y;
}

at::Tensor Operations::activate(const at::Tensor& x, network::Activation activation) {
    switch (activation) {
    case network::Activation::Relu:
        return x.relu();
    case network::Activation::Gelu:
        return at::gelu(x);
    case network::Activation::GeluTanh:
        return at::gelu(x, "tanh");
    case network::Activation::Silu:
        return at::silu(x);
    case network::Activation::Tanh:
        return x.tanh();
    }
    return x;
}

at::Tensor Operations::dropped(const at::Tensor& x) {
    if (dropout_ == 0)
        return x;
    return x * at::empty_like(x).bernoulli_(1 - dropout_, random_).div_(1 - dropout_);
}

const at::Tensor& Operations::mask(const AttentionShape& shape) {
    const auto &queries = shape.queries, &keys = shape.keys;
    auto& mask = masks_[{&queries, &keys, shape.causal}];
    if (mask.defined())
        return mask;
    auto closed = queries.sentence.view({queries.rows, 1, queries.length, 1})
                      .ne(keys.sentence.view({keys.rows, 1, 1, keys.length}))
                      .logical_or_(keys.isRest.view({keys.rows, 1, 1, keys.length}));
    if (shape.causal)
        closed.logical_or_(at::ones({queries.length, keys.length}, at::kBool).triu(1));
    mask = at::zeros({queries.rows, shape.heads, queries.length, keys.length}, parameters_.options())
               .masked_fill_(closed, -std::numeric_limits<double>::infinity())
               .view({queries.rows * shape.heads, queries.length, keys.length});
    return mask;
}

at::Tensor Operations::attend(const std::vector<at::Tensor>& projections, const AttentionShape& shape) {
    const std::int64_t inner = std::int64_t{shape.heads} * shape.headWidth;
    std::vector<at::Tensor> heads; // queries, keys and values, [rows * heads, length, d_k]
    for (const auto& x : projections) {
        const auto& tokens = heads.empty() ? shape.queries : shape.keys;
        const auto count = x.size(1) / inner;
        const auto parts = x.view({tokens.rows, tokens.length, count, shape.heads, shape.headWidth})
                               .permute({2, 0, 3, 1, 4})
                               .reshape({count, tokens.rows * shape.heads, tokens.length, shape.headWidth})
                               .unbind();
        heads.insert(heads.end(), parts.begin(), parts.end());
    }
    const auto scores =
        at::baddbmm(mask(shape), heads[0], heads[1].transpose(-2, -1), /*beta=*/1, /*alpha=*/shape.scale);
    return at::bmm(dropped(scores.softmax(-1)), heads[2])
        .view({shape.queries.rows, shape.heads, shape.queries.length, shape.headWidth})
        .transpose(1, 2)
        .reshape({shape.queries.rows * shape.queries.length, inner});
}

LossSums Operations::loss(const at::Tensor& x, const LinearWeights& generator,
                          const std::vector<std::int64_t>& wanted, const LossOptions& options) {
    constexpr std::int64_t rowsAtOnce = 256; // otherwise the logits would take more memory than all else
    const auto answers = at::tensor(wanted, at::kLong).unsqueeze(1);
    const auto end = x.detach().requires_grad_(differentiates());
    const double even = options.smoothing / static_cast<double>(generator.weight.rows);
    LossSums sums{.answers = wanted.size()};
    for (std::int64_t first = 0; first < answers.size(0); first += rowsAtOnce) {
        const auto count = std::min(rowsAtOnce, answers.size(0) - first);
        const auto right = answers.narrow(0, first, count);
        const auto logProbabilities = linear(end.narrow(0, first, count), generator).log_softmax(-1);
        const auto plain = -logProbabilities.gather(1, right).sum(at::kDouble);
        const auto smoothed = plain * (1 - options.smoothing) - logProbabilities.sum(at::kDouble) * even;
        if (differentiates())
            (smoothed * options.factor).backward();
        sums.plain += plain.item<double>();
        sums.smoothed += smoothed.item<double>();
        sums.right += logProbabilities.argmax(1, /*keepdim=*/true).eq(right).sum().item<std::int64_t>();
    }
    if (differentiates())
        x.backward(end.grad());
    return sums;
}

} // namespace headscope::training
