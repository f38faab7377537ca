#include "model/files/snapshot_names.h"

#include <charconv>

namespace headscope::files {

namespace {

constexpr std::string_view prefix = "step-";

} // namespace

std::string snapshotName(std::int64_t step) {
    return std::string(prefix) + std::to_string(step);
}

std::optional<std::int64_t> snapshotStep(const std::filesystem::path& folder) {
    const auto name = folder.filename().string();
    std::int64_t step = -1;
    if (name.starts_with(prefix))
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step);
    return step >= 0 && name == snapshotName(step) ? std::optional(step) : std::nullopt;
}

} // namespace headscope::files
