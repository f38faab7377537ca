#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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

/// Whether a text is the name of a model on the hub, ORG/NAME.
bool isHubName(std::string_view text);

/// Returns the folder of a model in the cache of this user (HF_HUB_CACHE, else HF_HOME/hub, else
/// ~/.cache/huggingface/hub), whether it is there or not. `name`: as isHubName() has it, or of one part.
std::filesystem::path hubFolder(const std::string& name);

/// Returns ORG/NAME of the cached model that a path names or lies in, whether it is there or not; empty for
/// any other path.
std::string hubNameOf(const std::filesystem::path& path);

/// Returns what to do to have the files of the cached model that a path names or lies in; empty for any other
/// path.
std::string howToDownload(const std::filesystem::path& path);

/// Returns an empty value unless `path` is the folder of a cached model or its folder `snapshots`.
std::optional<CachedModel> cachedModel(const std::filesystem::path& path);

/// Returns the folder of a model ORG/NAME, or NAME, in the cache of this user; an empty value if it is not
/// there.
std::optional<std::filesystem::path> cachedModelNamed(const std::string& name);

/// Returns ORG/NAME if `folder` is a snapshot of models--ORG--NAME; empty for any other folder.
std::string cachedModelName(const std::filesystem::path& folder);

} // namespace headscope::files
