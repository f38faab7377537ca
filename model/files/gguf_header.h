#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// What every GGUF file begins with.
inline constexpr std::string_view ggufStart = "GGUF";

/// A tensor in a GGUF file. Its data are the bytes from `begin` to `end` of the file.
struct GgufEntry {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape; ///< rows before columns
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

struct GgufHeader {
    nlohmann::json metadata; ///< an object from keys to values
    std::vector<GgufEntry> entries;
};

/// Reads what is before the data of a GGUF file of version 2 or 3, little-endian; `file` is all of it. Checks
/// every count, length and offset, and that tensors neither leave the file nor overlap. Throws trace::Refusal
/// for all else, also for keys or names that are there twice, more values than any tokenizer has, text that
/// is not UTF-8, arrays of arrays, and, by their names, types that cannot be read.
GgufHeader parseGgufHeader(std::span<const std::byte> file, const std::string& where);

} // namespace headscope::files
