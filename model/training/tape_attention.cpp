#include "model/training/attention_kernels.h"
#include "model/training/tape_memory.h"
#include "model/training/tape_operations.h"

#include <ATen/ATen.h>

namespace headscope::training {

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
