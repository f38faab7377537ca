#pragma once

#include "model/text/hugging_face/tokenizer_settings.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace headscope::text {

/// The files that define the tokenizer of a folder without tokenizer.json: vocab.txt; vocab.json and
/// merges.txt; vocab.json and sentencepiece.bpe.model; spiece.model; sentencepiece.bpe.model; or
/// tokenizer.model. None if the folder has none of them.
std::vector<std::filesystem::path> olderTokenizerFiles(const std::filesystem::path& folder);

/// tokenizer.json as `transformers` 4.57 creates it from `files` (convert_slow_tokenizer.py). Not for the
/// files of M2M100. Throws trace::Refusal.
nlohmann::json tokenizerOfOlderFiles(const std::vector<std::filesystem::path>& files,
                                     const TokenizerSettings& settings);

/// Returns a class that uses these files, for a folder that names no class.
std::string kindOfOlderFiles(const std::vector<std::filesystem::path>& files);

} // namespace headscope::text
