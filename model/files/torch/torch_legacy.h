#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"
#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// The weights in a file of torch.save before PyTorch 1.6: five pickles in a row (magic number, protocol
/// version, system, object, storage keys), then each storage as an int64 count of elements and its bytes.
/// Read and refused like readTorchZip().
TensorFile readTorchLegacy(const std::filesystem::path& path, const std::stop_token& stop = {});

/// The object in such a file as plain values; what follows it is not looked at. Throws trace::Refusal.
Pickle readTorchLegacyObject(const std::filesystem::path& path);

} // namespace headscope::files
