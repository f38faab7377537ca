#pragma once

#include "model/text/tokenizer.h"

#include <memory>

namespace headscope::text {

/// The tokenizers of two languages, each with a vocabulary of its own, as one.
std::unique_ptr<Tokenizer> pairOf(std::unique_ptr<Tokenizer> source, std::unique_ptr<Tokenizer> target);

} // namespace headscope::text
