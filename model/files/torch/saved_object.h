#pragma once

#include <filesystem>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// The object that torch.save wrote into a file, whatever it is, as plain values; the tensors' bytes are not
/// read. Nothing of the file is run (unpickle()). Throws trace::Refusal.
Pickle readSavedObject(const std::filesystem::path& path);

} // namespace headscope::files
