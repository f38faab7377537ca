#include "model/network/score_parts.h"

#include <ATen/ATen.h>

namespace headscope::network {

namespace {

/// Parts of the residual stream, [n, d_model] each, which sum to it.
struct Stream {
    at::Tensor word;
    at::Tensor position;
    at::Tensor bias;

    at::Tensor whole() const { return word + position + bias; }
};

Stream normed(const Norm& norm, const Stream& stream) {
    const auto frozen = norm.freeze(stream.whole());
    const auto bias = frozen.linear(stream.bias);
    return {.word = frozen.linear(stream.word),
            .position = frozen.linear(stream.position),
            .bias = frozen.bias.defined() ? bias + frozen.bias : bias};
}

Stream projected(const Linear& projection, const Stream& stream) {
    const Linear withoutBias{.weight = projection.weight};
    return {.word = withoutBias(stream.word),
            .position = withoutBias(stream.position),
            .bias = projection(stream.bias)};
}

bool normsBefore(NormScheme scheme) {
    return scheme == NormScheme::Pre || scheme == NormScheme::PreNormedResidual ||
           scheme == NormScheme::Parallel || scheme == NormScheme::Sandwich;
}

} // namespace

ScoreParts scoreParts(const TokenEmbedding& embedding, const AttentionModule& first, NormScheme scheme,
                      const at::Tensor& words, const at::Tensor& positions) {
    Stream stream{.word = words, .position = positions, .bias = at::zeros_like(positions)};
    if (embedding.norm())
        stream = normed(*embedding.norm(), stream);
    if (embedding.projection())
        stream = projected(*embedding.projection(), stream);
    if (normsBefore(scheme))
        stream = normed(first.norm, stream);
    const auto word = first.attention.projectLinearly(stream.word);
    const auto position = first.attention.projectLinearly(stream.position);
    const auto bias = first.attention.project(stream.bias);
    return {.q = {word.q, position.q, bias.q}, .k = {word.memory.k, position.memory.k, bias.memory.k}};
}

} // namespace headscope::network
