#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headscope::files {

/// Throws trace::Refusal for a file without readable weights. The error says what the file is, judged by
/// `start`, its first 512 bytes (or all of a shorter file), and how to get weights from it.
[[noreturn]] void refuseForeignFile(const std::filesystem::path& path, std::string_view start);

/// The same for a file whose kind is already known.
[[noreturn]] void refuseForeign(const std::filesystem::path& path, const std::string& kind,
                                const std::string& wayOut);

} // namespace headscope::files
