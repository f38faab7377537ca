#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headscope::files {

/// Returns the folder name of a training snapshot after `step` steps: "step-1200".
std::string snapshotName(std::int64_t step);
/// Returns the step of a folder named by snapshotName(); empty for any other name.
std::optional<std::int64_t> snapshotStep(const std::filesystem::path& folder);

} // namespace headscope::files
