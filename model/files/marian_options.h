#pragma once

#include <string>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Marian stores its options as YAML in the array "special:model.yml": they become `values`, by their own
/// names, with "vocabularies.0" and "vocabularies.1" added, the vocabularies that lie beside `where`, and
/// "norms": what is done before and after a sublayer, as in "n|a" (n: norm, a: the input is
/// added). Its decoder begins with a vector of zeros instead of a token: the embeddings get a row of zeros
/// for that, which the output projection cannot choose, and "start_id" is its number. Nothing happens to
/// other files. Throws trace::Refusal.
void takeMarianOptions(TensorFile& file, const std::string& where);

} // namespace headscope::files
