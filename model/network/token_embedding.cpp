#include "model/network/token_embedding.h"

#include <ATen/ATen.h>

#include <utility>

namespace headscope::network {

TokenEmbedding::TokenEmbedding(at::Tensor weight, at::Tensor positions, std::optional<Norm> norm,
                               double scale)
    : weight_(std::move(weight)), positions_(std::move(positions)), norm_(std::move(norm)), scale_(scale) {}

at::Tensor TokenEmbedding::operator()(const at::Tensor& ids, std::int64_t first,
                                      const at::Tensor& places) const {
    auto x = words(ids); // [n, d_model]
    if (positions_.defined())
        x = x + positions(first, ids.size(0), places);
    return norm_ ? (*norm_)(x) : x;
}

at::Tensor TokenEmbedding::words(const at::Tensor& ids) const {
    return at::embedding(weight_, ids) * scale_;
}

at::Tensor TokenEmbedding::positions(std::int64_t first, std::int64_t n, const at::Tensor& places) const {
    if (!positions_.defined())
        return at::zeros({n, weight_.size(1)});
    if (!places.defined())
        return positions_.narrow(0, first, n);
    return positions_.index_select(0, places.clamp_min(0)).masked_fill(places.lt(0).unsqueeze(1), 0);
}

} // namespace headscope::network
