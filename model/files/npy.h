#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// A NumPy array: row-major, little-endian.
struct NamedArray {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;

    friend bool operator==(const NamedArray&, const NamedArray&) = default;
};

/// `values` are row-major. Throws trace::Refusal if their number does not match the shape.
NamedArray floatArray(std::string name, std::vector<std::int64_t> shape, std::span<const float> values);
NamedArray doubleArray(std::string name, std::vector<std::int64_t> shape, std::span<const double> values);
NamedArray integerArray(std::string name, std::vector<std::int64_t> shape,
                        std::span<const std::int64_t> values);
NamedArray booleanArray(std::string name, std::vector<std::int64_t> shape, const std::vector<bool>& values);

/// Returns the elements. Throws trace::Refusal if the array has another type.
std::vector<float> floatsOf(const NamedArray& array);
std::vector<std::int64_t> integersOf(const NamedArray& array);

/// Returns the bytes of a .npy file, format 1.0. Throws trace::Refusal for bfloat16, which NumPy lacks.
std::string npyBytes(const NamedArray& array);

/// Reads formats 1.0 to 3.0; column-major arrays are converted to row-major. Throws trace::Refusal if the
/// elements are not plain little-endian numbers (the error names NumPy's type) or the data does not match the
/// shape.
NamedArray parseNpy(std::span<const std::byte> bytes, const std::string& where);

/// Reads a list of strings, or one string, of the same formats. Throws trace::Refusal, also for texts that
/// are not Unicode.
std::vector<std::string> parseNpyTexts(std::span<const std::byte> bytes, const std::string& where);

/// Writes a .npz archive for numpy.load: arrays as "<name>.npy", texts under their unchanged names. Equal
/// content gives equal bytes.
void saveNpz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
             const std::vector<std::pair<std::string, std::string>>& textEntries);

} // namespace headscope::files
