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

/// The bytes of a storage, alone or within those of a whole file.
struct StorageBytes {
    std::shared_ptr<const FileBytes> bytes;
    std::size_t offset = 0;
};

/// Where the bytes of a checkpoint's storages lie.
struct StorageSource {
    /// Size in bytes of a storage; none if there is no such one.
    std::function<std::optional<std::uint64_t>(const PickleStorage&)> size;
    std::function<StorageBytes(const PickleStorage&)> read;
    std::uint64_t maximumBytes = 0; ///< of all storages together: what the file can hold
};

/// Checks every tensor against its storage, and only when all of them are sound reads the storages, each
/// once: tensors that shared one go on sharing it. Throws one trace::Refusal that names all bad tensors.
std::vector<StoredTensor> loadTensors(const Pickle& pickle, PickledTensors found, const StorageSource& source,
                                      const std::string& where);

} // namespace headscope::files
