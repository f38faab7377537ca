#include "model/files/stored_tensor.h"

#include <algorithm>

namespace headscope::files {

bool shareStorage(const StoredTensor& a, const StoredTensor& b) {
    return a.bytes == b.bytes && a.offset == b.offset && a.type == b.type && a.shape == b.shape &&
           a.strides == b.strides;
}

std::optional<std::size_t> checkedProduct(std::size_t a, std::size_t b) {
    std::size_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::nullopt;
    return product;
}

std::optional<std::size_t> checkedProduct(std::span<const std::int64_t> factors) {
    std::size_t product = 1;
    for (const std::int64_t factor : factors)
        if (factor < 0 || __builtin_mul_overflow(product, factor, &product))
            return std::nullopt;
    return product;
}

std::vector<std::int64_t> contiguousStrides(std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    // Without elements strides are meaningless, and computing them might overflow although the shape's
    // product does not.
    if (std::ranges::find(shape, 0) != shape.end())
        return strides;
    for (std::size_t axis = shape.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * shape[axis];
    return strides;
}

std::string shapeText(std::span<const std::int64_t> shape) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
    return text + "]";
}

} // namespace headscope::files
