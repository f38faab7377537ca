#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/files/element_type.h"
#include "model/files/file_bytes.h"

namespace headscope::files {

/// A tensor as stored in a file: a view of bytes that several tensors may share (as tied weights do). Readers
/// guarantee that every element lies within `bytes`. Elements are little-endian and need not be aligned.
struct StoredTensor {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    /// In elements, one per dimension, none negative; of types in blocks those of whole rows.
    std::vector<std::int64_t> strides;
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
