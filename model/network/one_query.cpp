#include "model/network/one_query.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

namespace headscope::network {

namespace {

/// Dot product with several independent sums, which the compiler keeps in one vector register.
float dot(const float* a, const float* b, std::int64_t n) {
    constexpr std::int64_t lanes = 16;
    std::array<float, lanes> sums{};
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            sums[lane] += a[i + lane] * b[i + lane];
    float sum = 0;
    for (; i < n; ++i)
        sum += a[i] * b[i];
    for (const float part : sums)
        sum += part;
    return sum;
}

} // namespace

at::Tensor scoresOfOneQuery(const at::Tensor& q, const at::Tensor& k, double scale) {
    const auto heads = k.size(0);
    const auto keys = k.size(1);
    const auto width = k.size(2);
    auto scores = at::empty({heads, 1, keys});
    float* to = scores.data_ptr<float>();
    for (std::int64_t head = 0; head < heads; ++head) {
        const float* const query = q.data_ptr<float>() + head * q.stride(0);
        const float* key = k.data_ptr<float>() + head * k.stride(0);
        for (std::int64_t i = 0; i < keys; ++i, key += k.stride(1))
            *to++ = dot(query, key, width) * static_cast<float>(scale);
    }
    return scores;
}

at::Tensor outputsOfOneQuery(const at::Tensor& weights, const at::Tensor& v) {
    const auto heads = v.size(0);
    const auto keys = v.size(1);
    const auto width = v.size(2);
    auto outputs = at::empty({heads, 1, width});
    float* to = outputs.data_ptr<float>();
    for (std::int64_t head = 0; head < heads; ++head, to += width) {
        const float* const weight = weights.data_ptr<float>() + head * weights.stride(0);
        const float* value = v.data_ptr<float>() + head * v.stride(0);
        std::fill_n(to, width, 0.0F);
        for (std::int64_t i = 0; i < keys; ++i, value += v.stride(1))
            for (std::int64_t d = 0; d < width; ++d)
                to[d] += weight[i] * value[d];
    }
    return outputs;
}

} // namespace headscope::network
