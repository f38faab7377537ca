#include "model/files/element_values.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "model/files/block_values.h"

namespace headscope::files {

namespace {

float fromHalf(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t(half & 0x8000U) << 16;
    const std::uint32_t exponent = half >> 10 & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
    if (exponent != 0)
        return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign ? -small : small;
}

float fromBfloat(std::uint16_t value) {
    return std::bit_cast<float>(std::uint32_t(value) << 16);
}

template <class Stored, class Convert>
void convert(std::span<const std::byte> bytes, std::span<float> to, Convert&& toFloat) {
    assert(bytes.size() == to.size() * sizeof(Stored));
    for (std::size_t i = 0; i < to.size(); ++i) {
        Stored value;
        std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
        to[i] = toFloat(value);
    }
}

} // namespace

void toFloats(ElementType type, std::span<const std::byte> bytes, std::span<float> to) {
    const auto number = [](auto value) { return static_cast<float>(value); };
    switch (type) {
    case ElementType::Bool:
        return convert<std::uint8_t>(bytes, to, [](auto value) { return value ? 1.0F : 0.0F; });
    case ElementType::UInt8:
        return convert<std::uint8_t>(bytes, to, number);
    case ElementType::Int8:
        return convert<std::int8_t>(bytes, to, number);
    case ElementType::Int16:
        return convert<std::int16_t>(bytes, to, number);
    case ElementType::Int32:
        return convert<std::int32_t>(bytes, to, number);
    case ElementType::Int64:
        return convert<std::int64_t>(bytes, to, number);
    case ElementType::Float16:
        return convert<std::uint16_t>(bytes, to, fromHalf);
    case ElementType::BFloat16:
        return convert<std::uint16_t>(bytes, to, fromBfloat);
    case ElementType::Float32:
        return convert<float>(bytes, to, number);
    case ElementType::Float64:
        return convert<double>(bytes, to, number);
    default:
        assert(bytes.size() == bytesOf(type, to.size()));
        return widenBlocks(type, bytes.data(), to.size(), to.data());
    }
}

} // namespace headscope::files
