#pragma once

#include "model/text/hugging_face/gguf_tokenizer.h"
#include "model/text/hugging_face/pattern.h"
#include "model/text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::text {

/// True if a folder has a file for openHuggingFaceTokenizer().
bool hasHuggingFaceTokenizer(const std::filesystem::path& folder);

/// The files that define the tokenizer of a folder; the first of them determines the ids.
std::vector<std::filesystem::path> huggingFaceTokenizerFiles(const std::filesystem::path& folder);

/// Opens `tokenizer.json` like PyPI's `tokenizers` 0.22, with the changes of `transformers` 4.57 according to
/// the files beside it (TokenizerSettings). With a pattern, every match of it is looked up as it is typed,
/// and text between matches is unknown. Throws trace::Refusal.
std::unique_ptr<Tokenizer> openHuggingFaceTokenizer(const std::filesystem::path& folder,
                                                    const std::optional<Pattern>& pattern = {});

/// Opens a GGUF file's tokenizer, which is described as these files would. Throws trace::Refusal.
std::unique_ptr<Tokenizer> openHuggingFaceTokenizer(const TokenizerStages& stages, const std::string& where);

} // namespace headscope::text
