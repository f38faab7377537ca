#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::files {

/// A model as Hugging Face's hub keeps it in its cache: the folder models--ORG--NAME, with a folder of links
/// for each snapshot in `snapshots`.
struct CachedModel {
    std::filesystem::path folder;
    std::vector<std::filesystem::path> snapshots; ///< sorted by name
    /// The snapshot that refs/main names, else the only one; empty if there are several or none.
    std::optional<std::filesystem::path> current;
};

/// Returns an empty value unless `path` is the folder of a cached model or its folder `snapshots`.
std::optional<CachedModel> cachedModel(const std::filesystem::path& path);

/// Returns the folder of a model ORG/NAME in the cache of this user; an empty value if it is not there.
std::optional<std::filesystem::path> cachedModelNamed(const std::string& name);

/// Returns NAME if `folder` is a snapshot of models--ORG--NAME; empty for any other folder.
std::string cachedModelName(const std::filesystem::path& folder);

} // namespace headscope::files
