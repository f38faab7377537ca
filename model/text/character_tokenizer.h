#pragma once

#include "model/text/tokenizer.h"

#include <filesystem>
#include <memory>

namespace headscope::text {

/// Whether the file starts as a pickle does.
bool isPickle(const std::filesystem::path& path);

/// A tokenizer of characters from nanoGPT's `meta.pkl`, of which nothing is run: a dictionary with `itos`,
/// ids 0 to n-1 and the character of each. A character that it lacks is refused. Throws trace::Refusal.
std::unique_ptr<Tokenizer> openCharacterTokenizer(const std::filesystem::path& path);

} // namespace headscope::text
