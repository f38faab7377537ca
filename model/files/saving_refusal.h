#pragma once

#include <cerrno>
#include <filesystem>
#include <string>

#include "model/trace/refusal.h"

namespace headscope::files {

/// Why nothing could be saved at `path`: what the system said, what would have been accepted, and the way out
/// that fits it.
trace::Refusal savingRefusal(const std::string& what, const std::filesystem::path& path, int error = errno);

} // namespace headscope::files
