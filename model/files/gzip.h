#pragma once

#include <cstdint>
#include <string>

namespace headscope::files {

/// The text of a file, unpacked where it is gzip. Throws trace::Refusal if it cannot be read, is damaged, or
/// holds more than `most` bytes.
std::string readPlainOrGzip(const std::string& path, std::uint64_t most = std::uint64_t{1} << 30);

} // namespace headscope::files
