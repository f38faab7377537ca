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

/// The whole file. Files are read once and then checked in memory, so that nobody can exchange one between
/// the check and the use. Throws trace::Refusal for what is missing, unreadable, too large or no regular
/// file; trace::Cancelled within some milliseconds of reading.
std::shared_ptr<const FileBytes> readFile(const std::filesystem::path& path,
                                          std::uint64_t maximumBytes = defaultMaximumFileBytes,
                                          const std::stop_token& stop = {});

/// The same as text; its encoding is not checked.
std::string readText(const std::filesystem::path& path, std::uint64_t maximumBytes = defaultMaximumTextBytes,
                     FileRole role = FileRole::Input);

} // namespace headscope::files
