#pragma once

#include "model/files/stored_tensor.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::files {

/// Whether a file has the name of a part of a model of Llama's makers, who divide each matrix among several
/// processors: consolidated.00.pth.
bool isParallelPart(const std::filesystem::path& path);

/// Returns all parts of the model that a part belongs to, in order. Throws trace::Refusal if one is missing.
std::vector<std::filesystem::path> parallelParts(const std::filesystem::path& path);

/// Joins the matrices of the parts: their columns if they are the input of the division (the output
/// projections and, in the first versions, the embedding), else their rows. Throws trace::Refusal if the
/// parts differ.
TensorFile joinedParts(std::vector<TensorFile> parts, const std::string& where);

} // namespace headscope::files
