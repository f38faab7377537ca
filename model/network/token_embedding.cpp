#include "model/network/token_embedding.h"

#include <ATen/ATen.h>

#include <utility>

namespace headscope::network {

TokenEmbedding::TokenEmbedding(at::Tensor weight, at::Tensor positions, std::optional<Norm> norm,
                               double scale)
    : weight_(std::move(weight)), positions_(std::move(positions)), norm_(std::move(norm)), scale_(scale) {}

at::Tensor TokenEmbedding::operator()(const at::Tensor& ids, std::int64_t first) const {
    auto x = at::embedding(weight_, ids) * scale_; // [n, d_model]
    if (positions_.defined())
        x = x + positions_.narrow(0, first, ids.size(0));
    return norm_ ? (*norm_)(x) : x;
}

at::Tensor TokenEmbedding::positions(std::int64_t first, std::int64_t n) const {
    return positions_.defined() ? positions_.narrow(0, first, n) : at::zeros({n, weight_.size(1)});
}

} // namespace headscope::network
