#pragma once

#include <optional>
#include <string>

namespace headscope::files {

/// Bytes that can be had without swapping (MemAvailable of /proc/meminfo); nothing where the system does not
/// tell.
std::optional<double> availableMemory();

/// "1.6 GB"
std::string bytesInWords(double bytes);

} // namespace headscope::files
