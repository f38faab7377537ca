#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// What the header of a .npy file says.
struct NpyHeader {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    bool columnMajor = false;
};

/// Reads the Python dictionary a .npy file begins with: {'descr': '<f4', 'fortran_order': False, 'shape': (3,
/// 4), }. Throws trace::Refusal.
NpyHeader parseNpyHeader(std::string_view text, const std::string& where);

/// Throws trace::Refusal.
[[noreturn]] void refuseNpy(const std::string& where, const std::string& expected, const std::string& found);

/// "<f4"; empty if NumPy has no such type.
std::string_view npyName(ElementType type);

} // namespace headscope::files
