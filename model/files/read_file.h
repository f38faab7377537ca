#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "model/files/file_bytes.h"
#include "model/files/file_role.h"

namespace headscope::files {

inline constexpr std::uint64_t defaultMaximumFileBytes = std::uint64_t{64} << 30;
inline constexpr std::uint64_t defaultMaximumTextBytes = std::uint64_t{256} << 20;

/// Reads a whole file. Files are read once and then checked in memory, so that a file cannot be replaced
/// between check and use. Throws trace::Refusal if it is missing, unreadable, too large or not a regular
/// file; throws trace::Cancelled within some milliseconds of `stop`.
std::shared_ptr<const FileBytes> readFile(const std::filesystem::path& path,
                                          std::uint64_t maximumBytes = defaultMaximumFileBytes,
                                          const std::stop_token& stop = {});

/// Reads a whole file as text. The encoding is not checked.
std::string readText(const std::filesystem::path& path, std::uint64_t maximumBytes = defaultMaximumTextBytes,
                     FileRole role = FileRole::Input);

} // namespace headscope::files
