#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Whether a file begins as GGUF does; false if it cannot be read.
bool isGguf(const std::filesystem::path& path);

/// The files that a model lies in: one, or those called NAME-00001-of-00003.gguf and so on. Throws
/// trace::Refusal if there are too many.
std::vector<std::filesystem::path> partsOfGguf(const std::filesystem::path& path);

/// Whether files are called as those of one model that was cut, NAME-00001-of-00003.gguf and so on.
bool arePartsOfOneGguf(const std::vector<std::filesystem::path>& paths);

/// Reads a GGUF file, the format of llama.cpp: weights, what is known of their network, and a tokenizer. The
/// tensors share the file's bytes, which are mapped. A file of several ("-00001-of-00003") brings the others
/// with it. `values` are those of the metadata that are no long lists, by their keys without the name of the
/// architecture in front ("block_count"), except "general.architecture"; the divisors of a rotation's
/// frequencies, which are tensors in these files, are among them as "rope.factors", and all tokens that end a
/// text as "tokenizer.ends". Throws trace::Refusal (parseGgufHeader()).
TensorFile readGguf(const std::filesystem::path& path, const std::stop_token& stop = {});

/// Reads all of its metadata, an object. Throws trace::Refusal.
nlohmann::json readGgufMetadata(const std::filesystem::path& path);

} // namespace headscope::files
