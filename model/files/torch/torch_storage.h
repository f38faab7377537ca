#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/files/stored_tensor.h"
#include "model/files/torch/pickle_value.h"
#include "model/files/torch/pickled_tensors.h"

namespace headscope::files {

/// The bytes of a storage, on their own or within those of a whole file.
struct StorageBytes {
    std::shared_ptr<const FileBytes> bytes;
    std::size_t offset = 0;
};

/// Gives access to the storages of a checkpoint.
struct StorageSource {
    /// Size of a storage in bytes; empty if there is no such storage.
    std::function<std::optional<std::uint64_t>(const PickleStorage&)> size;
    std::function<StorageBytes(const PickleStorage&)> read;
    std::uint64_t maximumBytes = 0; ///< upper limit for all storages together, by the size of the file
};

/// Checks every tensor against its storage, then reads each storage once; tensors that share a storage keep
/// sharing it. Throws one trace::Refusal that lists all bad tensors, before anything is read.
std::vector<StoredTensor> loadTensors(const Pickle& pickle, PickledTensors found, const StorageSource& source,
                                      const std::string& where);

} // namespace headscope::files
