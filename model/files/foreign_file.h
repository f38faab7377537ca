#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headscope::files {

/// Throws trace::Refusal for a file that holds no weights that can be read: says what it is, by `start`, its
/// first 512 bytes (all of a shorter file), and how to come to weights from there.
[[noreturn]] void refuseForeignFile(const std::filesystem::path& path, std::string_view start);

/// The same where it is known already what it is.
[[noreturn]] void refuseForeign(const std::filesystem::path& path, const std::string& kind,
                                const std::string& wayOut);

} // namespace headscope::files
