#include "model/engine/tensor_values.h"

#include <ATen/ATen.h>

namespace headscope::engine {

std::vector<float> floats(const at::Tensor& tensor) {
    const auto flat = tensor.contiguous();
    const auto* first = flat.data_ptr<float>();
    return {first, first + flat.numel()};
}

trace::Matrix matrix(const at::Tensor& tensor) {
    return {static_cast<std::size_t>(tensor.size(0)), static_cast<std::size_t>(tensor.size(1)),
            floats(tensor)};
}

trace::MaskMatrix maskMatrix(const at::Tensor& tensor) {
    const auto flat = tensor.contiguous();
    const auto* first = flat.data_ptr<bool>();
    return {static_cast<std::size_t>(flat.size(0)), static_cast<std::size_t>(flat.size(1)),
            std::vector<std::uint8_t>(first, first + flat.numel())};
}

trace::HeadStack headStack(const at::Tensor& tensor) {
    if (tensor.stride(2) != 1)
        return headStack(tensor.contiguous());
    // Copy row by row: rows of a step are so short that LibTorch's copy of a strided tensor costs more.
    std::vector<float> values;
    values.reserve(tensor.numel());
    const float* const first = tensor.data_ptr<float>();
    for (std::int64_t head = 0; head < tensor.size(0); ++head)
        for (std::int64_t row = 0; row < tensor.size(1); ++row) {
            const float* const from = first + head * tensor.stride(0) + row * tensor.stride(1);
            values.insert(values.end(), from, from + tensor.size(2));
        }
    return {static_cast<std::size_t>(tensor.size(0)), static_cast<std::size_t>(tensor.size(1)),
            static_cast<std::size_t>(tensor.size(2)), std::move(values)};
}

at::Tensor overValues(const trace::HeadStack& stack) {
    return at::from_blob(const_cast<float*>(stack.values().data()),
                         {static_cast<std::int64_t>(stack.heads()), static_cast<std::int64_t>(stack.rows()),
                          static_cast<std::int64_t>(stack.columns())},
                         at::kFloat);
}

at::Tensor divergence(const at::Tensor& original, const at::Tensor& other, bool areSeparate) {
    const auto sum = (original.exp() * (original - other)).nansum(1); // 0 log 0 = 0
    if (!areSeparate)
        return sum;
    const auto complement = [](const at::Tensor& logProbabilities) {
        return (-logProbabilities.expm1()).log();
    };
    return sum + (complement(original).exp() * (complement(original) - complement(other))).nansum(1);
}

} // namespace headscope::engine
