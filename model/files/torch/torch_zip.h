#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"
#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// Reads the weights of a zip file written by torch.save (PyTorch 1.6 and later), TorchScript or LibTorch, in
/// file order. No code of the file is run: its pickle is read by unpickle(), its tensors are found by
/// findTensors() and checked against their storages. Tensors that share a storage in the file share `bytes`;
/// strides are kept. Throws one trace::Refusal that lists all bad tensors; throws trace::Cancelled within
/// some milliseconds of `stop`.
TensorFile readTorchZip(const std::filesystem::path& path, const std::stop_token& stop = {});

/// Reads only the object in such a file, as plain values. Throws trace::Refusal.
Pickle readTorchZipObject(const std::filesystem::path& path);

} // namespace headscope::files
