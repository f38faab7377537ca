#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Reads the arrays of a .npz archive as tensors. Marian keeps its options in one of them, as YAML: they
/// become `values` (takeMarianOptions()). Throws trace::Refusal; throws trace::Cancelled within some
/// milliseconds of `stop`.
TensorFile readNpzTensors(const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace headscope::files
