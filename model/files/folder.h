#pragma once

#include <filesystem>

namespace headscope::files {

/// Makes a folder, with those above it, that files are to be written into. Throws trace::Refusal where that
/// is not possible, or a folder is there already that may not be written to.
void makeFolder(const std::filesystem::path& folder);

} // namespace headscope::files
