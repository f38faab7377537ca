#pragma once

#include <cstdint>
#include <string>

namespace headscope::files {

/// Returns the text of a plain or gzip-compressed file. Throws trace::Refusal if it cannot be read, is
/// damaged, or holds more than `most` bytes (uncompressed).
std::string readPlainOrGzip(const std::string& path, std::uint64_t most = std::uint64_t{1} << 30);

} // namespace headscope::files
