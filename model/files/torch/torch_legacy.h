#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"
#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// Reads the weights of a file written by torch.save before PyTorch 1.6: five pickles in a row (magic number,
/// protocol version, system, object, storage keys), then each storage as an int64 element count and its
/// bytes. Safety and errors are those of readTorchZip().
TensorFile readTorchLegacy(const std::filesystem::path& path, const std::stop_token& stop = {});

/// Reads only the object in such a file, as plain values. Throws trace::Refusal.
Pickle readTorchLegacyObject(const std::filesystem::path& path);

} // namespace headscope::files
