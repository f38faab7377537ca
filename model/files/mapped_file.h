#pragma once

#include <cstdint>
#include <filesystem>

#include "model/files/file_bytes.h"
#include "model/files/file_descriptor.h"

namespace headscope::files {

/// Larger files of weights are mapped instead of copied: they need no memory of their own, and the system
/// reads them as they are used.
inline constexpr std::uint64_t mappedFrom = std::uint64_t{1} << 30;

/// Maps `size` bytes of a file from `begin` on, which must not be written to. Changes that another program
/// makes to the file may be visible. If the file is cut off, its missing part reads as zeros, and
/// refuseFilesThatWereCutOff() throws.
FileBytes mapped(const OpenFile& file, std::uint64_t begin, std::uint64_t size,
                 const std::filesystem::path& path);

/// Throws trace::Refusal if a mapped file was found cut off while its bytes were read.
void refuseFilesThatWereCutOff();

} // namespace headscope::files
