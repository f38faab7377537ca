#include "model/files/stored_tensor.h"

#include <algorithm>

namespace headscope::files {

std::size_t sizeOf(ElementType type) {
    switch (type) {
    case ElementType::Bool:
    case ElementType::UInt8:
    case ElementType::Int8:
        return 1;
    case ElementType::Int16:
    case ElementType::Float16:
    case ElementType::BFloat16:
        return 2;
    case ElementType::Int32:
    case ElementType::Float32:
        return 4;
    case ElementType::Int64:
    case ElementType::Float64:
        return 8;
    }
    return 0;
}

std::string_view name(ElementType type) {
    constexpr std::string_view names[] = {"bool",  "uint8",   "int8",     "int16",   "int32",
                                          "int64", "float16", "bfloat16", "float32", "float64"};
    return names[static_cast<std::size_t>(type)];
}

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
