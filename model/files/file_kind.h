#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// The kinds of weight files that can be read.
enum class FileKind {
    TorchZip,    ///< torch.save since PyTorch 1.6
    TorchScript, ///< torch.jit.save, and torch::save of C++: a zip like the above with code, which is never
                 ///< run
    TorchLegacy, ///< torch.save before PyTorch 1.6
    Safetensors,
    ShardIndex, ///< JSON that says which files hold the tensors
};

/// Decides by the content, never by the name. A file of another kind throws trace::Refusal that says what it
/// is and what can be done about it.
FileKind fileKind(const std::filesystem::path& path);

/// The tensors of a file of any of these kinds. Of an index: those of all its shards, which are read one
/// after another; the shards hold what the index promises, and no name is in two of them. Throws
/// trace::Refusal.
TensorFile readTensorFile(const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace headscope::files
