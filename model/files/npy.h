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

/// An array as NumPy knows it: row-major, little-endian.
struct NamedArray {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;

    friend bool operator==(const NamedArray&, const NamedArray&) = default;
};

/// `values` row-major; throws trace::Refusal unless they are as many as the shape says.
NamedArray floatArray(std::string name, std::vector<std::int64_t> shape, std::span<const float> values);
NamedArray doubleArray(std::string name, std::vector<std::int64_t> shape, std::span<const double> values);
NamedArray integerArray(std::string name, std::vector<std::int64_t> shape,
                        std::span<const std::int64_t> values);
NamedArray booleanArray(std::string name, std::vector<std::int64_t> shape, const std::vector<bool>& values);

/// The elements of an array; throws trace::Refusal if it holds another type.
std::vector<float> floatsOf(const NamedArray& array);
std::vector<std::int64_t> integersOf(const NamedArray& array);

/// The bytes of a .npy file, format 1.0. NumPy has no bfloat16: refused.
std::string npyBytes(const NamedArray& array);

/// Reads format 1.0 to 3.0; column-major arrays are turned. Refuses what is no plain little-endian number by
/// the name NumPy gives it (trace::Refusal), and data that is shorter or longer than the shape says.
NamedArray parseNpy(std::span<const std::byte> bytes, const std::string& where);

/// A .npz archive that numpy.load reads: the arrays as "<name>.npy", and texts under their names as given.
/// The same content gives the same bytes.
void saveNpz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
             const std::vector<std::pair<std::string, std::string>>& textEntries);

} // namespace headscope::files
