#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"
#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// The weights in a zip file of torch.save (PyTorch 1.6 and later), of TorchScript or of LibTorch, in the
/// order of the file. Nothing of the file is run: its pickle is read by unpickle(), its tensors are checked
/// against their storages. Which dictionaries are understood: findTensors(). Tensors that share a storage in
/// the file share `bytes`; strides stay as they are. Throws trace::Refusal that names all bad tensors at
/// once; trace::Cancelled within some milliseconds.
TensorFile readTorchZip(const std::filesystem::path& path, const std::stop_token& stop = {});

/// The object in such a file as plain values, without the bytes of its storages. Throws trace::Refusal.
Pickle readTorchZipObject(const std::filesystem::path& path);

} // namespace headscope::files
