#pragma once

#include <filesystem>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// Reads any object written by torch.save as plain values, without the tensors' bytes. No code of the file is
/// run (unpickle()). Throws trace::Refusal.
Pickle readSavedObject(const std::filesystem::path& path);

} // namespace headscope::files
