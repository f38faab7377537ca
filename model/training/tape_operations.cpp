#include "model/training/tape_operations.h"

#include "model/training/attention_kernels.h"
#include "model/training/tape_memory.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace headscope::training {

namespace {

/// Consumes `gradient`.
void accumulate(Node& node, at::Tensor gradient) {
    if (!node.gradient.defined())
        node.gradient = std::move(gradient);
    else
        kernels::add(floats(node.gradient), floats(gradient), elements(gradient));
}

/// Mixes the bits of x (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

} // namespace

const std::uint8_t* TapeOperations::Dropped::data() const {
    return bytes.defined() ? bytes.data_ptr<std::uint8_t>() : nullptr;
}

TapeOperations::Dropped TapeOperations::drop(std::size_t elements) {
    Dropped dropped;
    dropped.dropout.below = kernels::dropoutThreshold(dropout_.probability);
    if (dropped.dropout.below == 0 || elements == 0)
        return dropped;
    dropped.dropout.key =
        mixed(mixed(mixed(mixed(dropout_.seed) + dropout_.step) + dropout_.part) + drops_++);
    dropped.bytes = at::empty({static_cast<std::int64_t>(elements)}, at::kByte);
    kernels::randomBytes(dropped.dropout, dropped.bytes.data_ptr<std::uint8_t>(), elements);
    return dropped;
}

void TapeOperations::runBackwards() {
    while (!tape_.empty()) {
        const auto work = std::move(tape_.back());
        tape_.pop_back();
        work();
    }
}

Value TapeOperations::embed(const EmbeddingWeights& weights, const PackedSentences& tokens) {
    const auto positions = weights.positions ? weights.positions.of(parameters_) : weights.table;
    auto x = node(at::empty({static_cast<std::int64_t>(tokens.tokens()), weights.weight.columns}));
    const kernels::Embedding embedding{.width = static_cast<std::size_t>(weights.weight.columns),
                                       .scale = static_cast<float>(weights.scale),
                                       .ids = tokens.ids,
                                       .places = tokens.places};
    kernels::embed(embedding, floats(x->value), floats(weights.weight.of(parameters_)), floats(positions));
    later([this, x, embedding, &weights] {
        kernels::embedGradient(embedding, floats(weights.weight.of(gradients_)),
                               floats(weights.positions.of(gradients_)), floats(x->gradient));
    });
    return x;
}

at::Tensor TapeOperations::factor(const at::Tensor& x) const {
    if (!rounded_.defined())
        return x;
    auto rounded = at::empty(x.sizes(), at::kBFloat16);
    kernels::toBfloat16(bits(rounded), floats(x), elements(x));
    return rounded;
}

void TapeOperations::multiply(at::Tensor& to, const at::Tensor& x, const LinearWeights& weights) const {
    const auto weight = weights.weight.of(factors()).t();
    const auto bias = weights.bias.of(parameters_);
    if (rounded_.defined())
        kernels::fromBfloat16WithBias(floats(to), bits(at::mm(x, weight)), floats(bias), rowsOf(to),
                                      static_cast<std::size_t>(to.size(1)));
    else if (bias.defined())
        at::addmm_out(to, bias, x, weight);
    else
        at::mm_out(to, x, weight);
}

void TapeOperations::addProductGradients(const at::Tensor& gradient, const at::Tensor& x,
                                         const LinearWeights& weights) const {
    auto sum = weights.weight.of(gradients_);
    if (rounded_.defined())
        kernels::addBfloat16(floats(sum), bits(at::mm(gradient.t(), x)), elements(sum));
    else
        sum.addmm_(gradient.t(), x);
}

void TapeOperations::addInputGradient(at::Tensor& to, const at::Tensor& gradient,
                                      const LinearWeights& weights) const {
    const auto weight = weights.weight.of(factors());
    const bool isFirst = !to.defined();
    if (!rounded_.defined()) {
        if (isFirst)
            to = at::mm(gradient, weight);
        else
            to.addmm_(gradient, weight);
        return;
    }
    const auto product = at::mm(gradient, weight);
    if (isFirst)
        to = at::empty(product.sizes());
    (isFirst ? kernels::fromBfloat16 : kernels::addBfloat16)(floats(to), bits(product), elements(to));
}

Value TapeOperations::linear(const Value& x, const LinearWeights& weights) {
    const auto input = factor(x->value);
    const auto y = node(at::empty({x->value.size(0), weights.weight.rows}));
    multiply(y->value, input, weights);
    later([this, x, input, y, weights] {
        const auto gradient = factor(y->gradient);
        if (weights.bias)
            kernels::addColumnSums(floats(weights.bias.of(gradients_)), floats(y->gradient),
                                   rowsOf(y->gradient), static_cast<std::size_t>(y->gradient.size(1)));
        addProductGradients(gradient, input, weights);
        addInputGradient(x->gradient, gradient, weights);
    });
    return y;
}

Value TapeOperations::norm(const Value& x, const NormWeights& weights) {
    const auto y = node(at::empty_like(x->value));
    const auto rows = rowsOf(x->value);
    const auto width = static_cast<std::size_t>(x->value.size(1));
    const auto moments = at::empty({2, x->value.size(0)});
    const kernels::Norm norm{.kind = weights.kind,
                             .epsilon = static_cast<float>(weights.epsilon),
                             .gain = floats(weights.gain.of(parameters_)),
                             .bias = floats(weights.bias.of(parameters_))};
    kernels::normalise(norm, floats(y->value), floats(x->value), floats(moments), floats(moments) + rows,
                       rows, width);
    later([this, x, y, moments, norm, weights, rows, width] {
        if (!x->gradient.defined())
            x->gradient = at::zeros_like(x->value);
        kernels::normaliseGradient(norm, floats(x->gradient), floats(weights.gain.of(gradients_)),
                                   floats(weights.bias.of(gradients_)), floats(y->gradient), floats(x->value),
                                   floats(moments), floats(moments) + rows, rows, width);
    });
    return y;
}

Value TapeOperations::activate(const Value& x, network::Activation activation) {
    const auto n = elements(x->value);
    const auto dropped = drop(n);
    if (activation == network::Activation::Relu) {
        kernels::rectify(floats(x->value), dropped.data(), dropped.dropout, n);
        later([x, n, scale = dropped.bytes.defined() ? dropped.dropout.scale() : 1.0F] {
            kernels::rectifyGradient(floats(x->gradient), floats(x->value), scale, n);
        });
        return x; // in place: earlier operators need only the gradient
    }
    const auto y = node(at::empty_like(x->value));
    kernels::activate(activation, floats(y->value), floats(x->value), dropped.data(), dropped.dropout, n);
    later([x, y, dropped, activation, n] {
        kernels::activateGradient(activation, floats(y->gradient), floats(x->value), dropped.data(),
                                  dropped.dropout, n);
        x->gradient = std::move(y->gradient);
    });
    return y;
}

Value TapeOperations::dropped(const Value& x) {
    const auto n = elements(x->value);
    const auto dropped = drop(n);
    if (!dropped.bytes.defined())
        return x;
    kernels::dropGradient(floats(x->value), floats(x->value), dropped.data(), dropped.dropout, n);
    later([x, dropped, n] {
        kernels::dropGradient(floats(x->gradient), floats(x->gradient), dropped.data(), dropped.dropout, n);
    });
    return x;
}

Value TapeOperations::addDropped(const Value& x, const Value& added) {
    const auto n = elements(x->value);
    const auto dropped = drop(n);
    const auto y = node(at::empty_like(x->value));
    kernels::addDropped(floats(y->value), floats(x->value), floats(added->value), dropped.data(),
                        dropped.dropout, n);
    later([x, added, y, dropped, n] {
        if (dropped.bytes.defined()) {
            auto gradient = at::empty_like(y->gradient);
            kernels::dropGradient(floats(gradient), floats(y->gradient), dropped.data(), dropped.dropout, n);
            accumulate(*added, std::move(gradient));
        } else
            accumulate(*added, y->gradient.clone());
        accumulate(*x, std::move(y->gradient));
    });
    return y;
}

LossSums TapeOperations::loss(const Value& x, const LinearWeights& generator,
                              const std::vector<std::int64_t>& wanted, const LossOptions& options) {
    // Some rows at a time, so that their logits and gradients stay in the cache.
    constexpr std::int64_t rowsAtOnce = 192;
    const auto rows = static_cast<std::int64_t>(wanted.size());
    const auto vocabulary = static_cast<std::size_t>(generator.weight.rows);
    const auto space = at::empty({std::min(rows, rowsAtOnce), generator.weight.rows});
    LossSums sums{.answers = wanted.size()};
    if (gradients_.defined())
        x->gradient = at::empty_like(x->value);
    for (std::int64_t first = 0; first < rows; first += rowsAtOnce) {
        const auto count = std::min(rowsAtOnce, rows - first);
        const auto part = factor(x->value.narrow(0, first, count));
        auto logits = space.narrow(0, 0, count);
        multiply(logits, part, generator);
        const auto losses = kernels::smoothedCrossEntropy(
            floats(logits), wanted.data() + first, static_cast<std::size_t>(count), vocabulary,
            static_cast<float>(options.smoothing), static_cast<float>(options.factor));
        sums += {.smoothed = losses.smoothed, .plain = losses.plain, .right = losses.right};
        if (!gradients_.defined())
            continue;
        const auto gradient = factor(logits);
        if (generator.bias)
            kernels::addColumnSums(floats(generator.bias.of(gradients_)), floats(logits),
                                   static_cast<std::size_t>(count), vocabulary);
        addProductGradients(gradient, part, generator);
        at::Tensor ofPart;
        addInputGradient(ofPart, gradient, generator);
        x->gradient.narrow(0, first, count).copy_(ofPart);
    }
    runBackwards();
    return sums;
}

Value TapeOperations::attend(const Value& q, const Value& memory, const AttentionShape& shape) {
    const std::int64_t inner = std::int64_t{shape.heads} * shape.headWidth;
    kernels::Attention attention{.sentences = shape.queries.sentences(),
                                 .queryBegin = shape.queries.begin.data(),
                                 .keyBegin = shape.keys.begin.data(),
                                 .heads = static_cast<std::size_t>(shape.heads),
                                 .headWidth = static_cast<std::size_t>(shape.headWidth),
                                 .scale = static_cast<float>(shape.scale),
                                 .causal = shape.causal};
    const auto dropped = drop(attention.cells());
    attention.dropout = dropped.dropout;
    const auto weights = at::empty({static_cast<std::int64_t>(attention.cells())});
    const auto y = node(at::empty({q->value.size(0), inner}));
    const auto rows = [](const at::Tensor& tensor, std::int64_t column) {
        return kernels::HeadRows{.data = floats(tensor) + column,
                                 .stride = static_cast<std::size_t>(tensor.size(1))};
    };
    const auto column = shape.keyColumn;
    kernels::attend(attention, rows(y->value, 0), rows(q->value, 0), rows(memory->value, column),
                    rows(memory->value, column + inner), floats(weights), dropped.data());
    later([q, memory, y, attention, dropped, weights, rows, column, inner] {
        q->gradient = at::empty_like(q->value);
        if (memory != q)
            memory->gradient = at::empty_like(memory->value);
        kernels::attendGradient(attention, rows(y->gradient, 0), rows(q->value, 0),
                                rows(memory->value, column), rows(memory->value, column + inner),
                                floats(weights), dropped.data(), rows(q->gradient, 0),
                                rows(memory->gradient, column), rows(memory->gradient, column + inner));
    });
    return y;
}

Value TapeOperations::maximum(const Value& x, const PackedSentences& tokens) {
    const auto width = x->value.size(1);
    const auto sentences = static_cast<std::int64_t>(tokens.sentences());
    const auto y = node(at::empty({sentences, width}));
    const auto rows = at::empty({sentences, width}, at::kLong);
    for (std::int64_t s = 0; s < sentences; ++s) {
        const auto at = static_cast<std::size_t>(s);
        const auto best = x->value.slice(0, tokens.begin[at], tokens.begin[at + 1]).max(0);
        y->value[s].copy_(std::get<0>(best));
        rows[s].copy_(std::get<1>(best) + tokens.begin[at]);
    }
    later([x, y, rows] { x->gradient = at::zeros_like(x->value).scatter_(0, rows, y->gradient); });
    return y;
}

} // namespace headscope::training
