#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope::files {

/// Whether a file has the name of one that may hold weights.
bool isWeightsName(const std::filesystem::path& path);

/// One of several models in a folder: a file of weights, or a folder with some.
struct ModelInFolder {
    std::filesystem::path path;
    std::uint64_t bytes = 0;                   ///< of its weights
    std::filesystem::file_time_type changed{}; ///< when the last of them was written
};

/// Returns the models that a folder, or the folders below it, hold, in the order of the numbers in their
/// names, if they are several. Empty if a folder can be opened as it is, holds none or cannot be read.
std::vector<ModelInFolder> severalModels(const std::filesystem::path& folder);
/// Returns the one that was changed last; among equals the last. `models` must not be empty.
const ModelInFolder& newest(const std::vector<ModelInFolder>& models);

/// Returns the file with the weights of a folder, or of the only folder below it that holds some. Throws
/// trace::Refusal if there is none, or several.
std::filesystem::path weightsOf(const std::filesystem::path& folder);

} // namespace headscope::files
