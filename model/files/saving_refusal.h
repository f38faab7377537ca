#pragma once

#include <cerrno>
#include <filesystem>
#include <string>

#include "model/trace/refusal.h"

namespace headscope::files {

/// Returns the error for a failed save: the system's reason, what was expected, and what to do about it.
trace::Refusal savingRefusal(const std::string& what, const std::filesystem::path& path, int error = errno);

} // namespace headscope::files
