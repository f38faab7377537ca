#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// One tensor of a checked header; `begin` and `end` are byte offsets from the start of the data.
struct SafetensorsEntry {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; ///< sorted by position of their data
    std::map<std::string, std::string> metadata;
};

inline constexpr std::uint64_t maximumSafetensorsHeaderBytes = 100'000'000;

/// Returns the header's length, read from the first 8 bytes of a file of `fileBytes` bytes. Throws
/// trace::Refusal.
std::uint64_t safetensorsHeaderBytes(std::string_view start, std::uint64_t fileBytes,
                                     const std::string& where);

/// Parses the JSON text and checks it against the `dataBytes` bytes that follow it. Throws trace::Refusal.
SafetensorsHeader parseSafetensorsHeader(std::string_view text, std::uint64_t dataBytes,
                                         const std::string& where);

/// The format's name of a type, such as "F32".
std::string_view safetensorsName(ElementType type);

} // namespace headscope::files
