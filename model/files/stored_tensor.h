#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/file_bytes.h"

namespace headscope::files {

enum class ElementType { Bool, UInt8, Int8, Int16, Int32, Int64, Float16, BFloat16, Float32, Float64 };

/// In bytes.
std::size_t sizeOf(ElementType type);

/// The name in NumPy and PyTorch, such as "float32".
std::string_view name(ElementType type);

/// A tensor as stored in a file: a view of bytes that several tensors may share (as tied weights do). Readers
/// guarantee that every element lies within `bytes`. Elements are little-endian and need not be aligned.
struct StoredTensor {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< in elements, one per dimension, none negative
    std::shared_ptr<const FileBytes> bytes;
    std::size_t offset = 0; ///< of the first element, in bytes
};

/// The content of a weight file of any format.
struct TensorFile {
    std::string format; ///< display name: "safetensors", "PyTorch (zip)"
    std::vector<StoredTensor> tensors;
    std::map<std::string, std::string> metadata;
    /// What a checkpoint holds beside its tensors (plainValues()).
    std::map<std::string, std::string> values = {};
};

/// Whether a and b are the same tensor under two names.
bool shareStorage(const StoredTensor& a, const StoredTensor& b);

/// Returns the number of elements of a shape; empty on overflow or if a size is negative.
std::optional<std::size_t> checkedProduct(std::span<const std::int64_t> factors);
std::optional<std::size_t> checkedProduct(std::size_t a, std::size_t b);

/// Returns row-major strides. The product of the shape must not overflow.
std::vector<std::int64_t> contiguousStrides(std::span<const std::int64_t> shape);

/// "[3, 4]"
std::string shapeText(std::span<const std::int64_t> shape);

/// Limits of all tensor readers; files beyond them are refused before anything is allocated.
inline constexpr std::size_t maximumTensors = 100'000;
inline constexpr std::size_t maximumRank = 8;
inline constexpr std::size_t maximumNameBytes = 1024;

} // namespace headscope::files
