#include "model/network/token_embedding.h"

#include "model/network/matrix_product.h"

#include <ATen/ATen.h>

namespace headscope::network {

at::Tensor TokenEmbedding::operator()(const at::Tensor& ids, std::int64_t first, const at::Tensor& places,
                                      const at::Tensor& segments) const {
    auto x = words(ids, segments); // [n, width]
    if (parts_.positions.defined())
        x = x + positions(first, ids.size(0), places);
    if (parts_.norm)
        x = (*parts_.norm)(x);
    return parts_.projection ? (*parts_.projection)(x) : x;
}

at::Tensor TokenEmbedding::words(const at::Tensor& ids, const at::Tensor& segments) const {
    auto words = rowsOf(parts_.words, ids) * parts_.scale;
    if (parts_.ofWords)
        words = (*parts_.ofWords)(words);
    if (!parts_.segments.defined())
        return words;
    return words + at::embedding(parts_.segments, segments.defined() ? segments : at::zeros_like(ids));
}

at::Tensor TokenEmbedding::positions(std::int64_t first, std::int64_t n, const at::Tensor& places) const {
    if (!parts_.positions.defined())
        return at::zeros({n, width()});
    if (!places.defined())
        return parts_.positions.narrow(0, first, n);
    return parts_.positions.index_select(0, places.clamp_min(0)).masked_fill(places.lt(0).unsqueeze(1), 0);
}

LinearReading TokenEmbedding::before(LinearReading reading, const at::Tensor& sum) const {
    if (parts_.projection)
        reading = parts_.projection->before(reading);
    return parts_.norm ? parts_.norm->freeze(sum).before(reading) : reading;
}

} // namespace headscope::network
