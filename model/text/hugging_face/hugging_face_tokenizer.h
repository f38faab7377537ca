#pragma once

#include "model/text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace headscope::text {

/// Whether a folder has a file that openHuggingFaceTokenizer() opens.
bool hasHuggingFaceTokenizer(const std::filesystem::path& folder);

/// The files that define the tokenizer of a folder; the first of them determines the ids.
std::vector<std::filesystem::path> huggingFaceTokenizerFiles(const std::filesystem::path& folder);

/// Opens `tokenizer.json` as PyPI's `tokenizers` 0.22 does, with the changes that `transformers` 4.57 makes
/// by the files beside it (TokenizerSettings). Throws trace::Refusal.
std::unique_ptr<Tokenizer> openHuggingFaceTokenizer(const std::filesystem::path& folder);

} // namespace headscope::text
