#pragma once

#include <filesystem>
#include <stop_token>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// The kinds of weight files that can be read.
enum class FileKind {
    TorchZip,    ///< torch.save since PyTorch 1.6
    TorchScript, ///< torch.jit.save, and torch::save of C++: a zip as above plus code, which is never run
    TorchLegacy, ///< torch.save before PyTorch 1.6
    Safetensors,
    Npz,        ///< arrays of NumPy, as Marian saves its models
    Gguf,       ///< llama.cpp's
    ShardIndex, ///< JSON that maps tensors to files
};

/// Detects the kind by content, never by name. Throws trace::Refusal for any other file; the error says what
/// the file is and what to do.
FileKind fileKind(const std::filesystem::path& path);

/// Reads the tensors of a file of any of these kinds. For an index, reads all its shards one after the other.
/// Throws trace::Refusal, also if the shards do not match the index or two shards hold the same name.
TensorFile readTensorFile(const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace headscope::files
