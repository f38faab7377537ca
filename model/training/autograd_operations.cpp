#include "model/training/autograd_operations.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace headscope::training {

namespace {

/// Converts between packed tokens and padded [sentences, longest].
struct Padding {
    at::Tensor places; ///< [tokens] int64, index of each token in the padded layout
    std::int64_t sentences = 0;
    std::int64_t longest = 0;

    Padding(const PackedSentences& packed, c10::Device device)
        : sentences(static_cast<std::int64_t>(packed.sentences())) {
        for (std::size_t s = 0; s < packed.sentences(); ++s)
            longest = std::max(longest, packed.begin[s + 1] - packed.begin[s]);
        std::vector<std::int64_t> at;
        for (std::size_t s = 0; s < packed.sentences(); ++s)
            for (auto token = packed.begin[s]; token < packed.begin[s + 1]; ++token)
                at.push_back(static_cast<std::int64_t>(s) * longest + token - packed.begin[s]);
        places = at::tensor(at, at::kLong).to(device);
    }
    /// [tokens, columns] -> [sentences, longest, columns]
    at::Tensor padded(const at::Tensor& x, double with = 0) const {
        return at::full({sentences * longest, x.size(1)}, with, x.options())
            .index_copy(0, places, x)
            .view({sentences, longest, x.size(1)});
    }
    at::Tensor packed(const at::Tensor& x) const {
        return x.reshape({sentences * longest, x.size(-1)}).index_select(0, places);
    }
    at::Tensor open() const { // [sentences, longest] bool
        return at::zeros({sentences * longest}, places.options().dtype(at::kBool))
            .index_fill(0, places, 1)
            .view({sentences, longest});
    }
};

} // namespace

at::Tensor AutogradOperations::parameter(const Slice& slice) {
    if (!slice)
        return {};
    auto& leaf = leaves_[slice.begin];
    if (!leaf.defined() || leaf.numel() != slice.size()) {
        leaf = slice.of(parameters_).detach();
        if (gradients_.defined()) {
            leaf.requires_grad_();
            leaf.mutable_grad() = slice.of(gradients_).detach();
        }
    }
    return leaf;
}

at::Tensor AutogradOperations::onDevice(const std::vector<std::int64_t>& numbers) const {
    return at::tensor(numbers, at::kLong).to(parameters_.device());
}

at::Tensor AutogradOperations::drop(const at::Tensor& x) const {
    return dropout_ > 0 && gradients_.defined() ? at::dropout(x, dropout_, /*train=*/true) : x;
}

at::Tensor AutogradOperations::product(const at::Tensor& x, const LinearWeights& weights) {
    const auto weight = parameter(weights.weight);
    const auto bias = parameter(weights.bias);
    if (!mixedPrecision_)
        return at::linear(x, weight, bias);
    const auto y = at::linear(x.to(at::kBFloat16), weight.to(at::kBFloat16)).to(at::kFloat);
    return bias.defined() ? y + bias : y;
}

Value AutogradOperations::embed(const EmbeddingWeights& weights, const PackedSentences& tokens) {
    auto x = at::embedding(parameter(weights.weight), onDevice(tokens.ids)) * weights.scale;
    const auto positions = weights.positions ? parameter(weights.positions) : weights.table;
    if (positions.defined())
        x = x + at::embedding(positions.to(x.device()), onDevice(tokens.places));
    return node(x);
}

Value AutogradOperations::linear(const Value& x, const LinearWeights& weights) {
    return node(product(x->value, weights));
}

Value AutogradOperations::norm(const Value& x, const NormWeights& weights) {
    const auto gain = parameter(weights.gain);
    const auto bias = parameter(weights.bias);
    const auto& rows = x->value;
    if (weights.kind == network::NormKind::LayerNorm)
        return node(at::layer_norm(rows, {rows.size(-1)}, gain, bias, weights.epsilon));
    at::Tensor y;
    if (weights.kind == network::NormKind::RootMeanSquare)
        y = gain * rows / (rows.square().mean(-1, /*keepdim=*/true) + weights.epsilon).sqrt();
    else
        y = gain * (rows - rows.mean(-1, /*keepdim=*/true)) /
            (rows.std(-1, /*unbiased=*/true, /*keepdim=*/true) + weights.epsilon);
    return node(bias.defined() ? y + bias : y);
}

Value AutogradOperations::activate(const Value& x, network::Activation activation) {
    switch (activation) {
    case network::Activation::Relu:
        return node(drop(x->value.relu()));
    case network::Activation::Gelu:
        return node(drop(at::gelu(x->value)));
    case network::Activation::GeluTanh:
        return node(drop(at::gelu(x->value, "tanh")));
    case network::Activation::Silu:
        return node(drop(at::silu(x->value)));
    case network::Activation::Tanh:
        return node(drop(x->value.tanh()));
    }
    return x;
}

Value AutogradOperations::dropped(const Value& x) {
    return node(drop(x->value));
}

Value AutogradOperations::addDropped(const Value& x, const Value& added) {
    return node(x->value + drop(added->value));
}

Value AutogradOperations::attend(const Value& q, const Value& memory, const AttentionShape& shape) {
    const Padding queries(shape.queries, parameters_.device());
    const Padding keys(shape.keys, parameters_.device());
    const std::int64_t inner = std::int64_t{shape.heads} * shape.headWidth;
    const auto heads = [&](const at::Tensor& x, std::int64_t column, const Padding& padding) {
        return padding
            .padded(x.narrow(1, column, inner)) // [sentences, heads, longest, d_k]
            .view({padding.sentences, padding.longest, shape.heads, shape.headWidth})
            .transpose(1, 2);
    };
    auto scores = at::matmul(heads(q->value, 0, queries),
                             heads(memory->value, shape.keyColumn, keys).transpose(-2, -1)) *
                  shape.scale;
    auto closed = keys.open().logical_not().view({keys.sentences, 1, 1, keys.longest});
    if (shape.causal) {
        const auto square = at::ones({queries.longest, keys.longest}, closed.options());
        closed = closed.logical_or(square.triu(1));
    }
    const auto weights = scores.masked_fill(closed, -std::numeric_limits<double>::infinity()).softmax(-1);
    const auto outputs = at::matmul(drop(weights), heads(memory->value, shape.keyColumn + inner, keys));
    return node(queries.packed(outputs.transpose(1, 2).reshape({queries.sentences, queries.longest, inner})));
}

Value AutogradOperations::maximum(const Value& x, const PackedSentences& tokens) {
    const Padding padding(tokens, parameters_.device());
    return node(padding.padded(x->value, -std::numeric_limits<double>::infinity()).amax(1));
}

LossSums AutogradOperations::loss(const Value& x, const LinearWeights& generator,
                                  const std::vector<std::int64_t>& wanted, const LossOptions& options) {
    const auto logProbabilities = product(x->value, generator).log_softmax(-1);
    const auto answers = onDevice(wanted);
    const auto plain = -logProbabilities.gather(1, answers.unsqueeze(1)).sum();
    const auto even = -logProbabilities.mean(1).sum();
    const auto smoothed = plain * (1 - options.smoothing) + even * options.smoothing;
    if (gradients_.defined())
        (smoothed * options.factor).backward();
    return {.smoothed = smoothed.item<double>(),
            .plain = plain.item<double>(),
            .right =
                static_cast<std::size_t>(logProbabilities.argmax(1).eq(answers).sum().item<std::int64_t>()),
            .answers = wanted.size()};
}

} // namespace headscope::training
