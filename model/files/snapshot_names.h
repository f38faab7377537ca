#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headscope::files {

/// What the folder of a model as it was after `step` steps of its training is called: "step-1200".
std::string snapshotName(std::int64_t step);
/// The step of a folder that is called so; nothing for any other.
std::optional<std::int64_t> snapshotStep(const std::filesystem::path& folder);

} // namespace headscope::files
