#pragma once

#include <map>
#include <string>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// Returns what a checkpoint holds beside its tensors: numbers, texts, and lists of these, as JSON, by their
/// path from the root, such as "model_args.n_head". Of objects, such as the arguments of a command line,
/// the members are returned. Values that are nested deeply, and long lists, are left out.
std::map<std::string, std::string> plainValues(const Pickle& pickle);

} // namespace headscope::files
