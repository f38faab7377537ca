#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/stored_tensor.h"

namespace headscope::files {

struct NpyHeader {
    ElementType type = ElementType::Float32;
    std::size_t characters = 0; ///< of each string of an array of strings ("<U5"); 0 if it has numbers
    std::vector<std::int64_t> shape;
    bool columnMajor = false;
};

/// Parses the Python dictionary at the start of a .npy file: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (3, 4), }. Throws trace::Refusal.
NpyHeader parseNpyHeader(std::string_view text, const std::string& where);

/// Throws trace::Refusal.
[[noreturn]] void refuseNpy(const std::string& where, const std::string& expected, const std::string& found);

/// NumPy's name such as "<f4"; empty if NumPy has no such type.
std::string_view npyName(ElementType type);

} // namespace headscope::files
