#pragma once

#include "model/text/hugging_face/tokenizer_settings.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace headscope::text {

/// The files of a folder without tokenizer.json that its tokenizer is made of: vocab.txt; vocab.json and
/// merges.txt; vocab.json and sentencepiece.bpe.model; spiece.model; sentencepiece.bpe.model; or
/// tokenizer.model. None if the folder has none of them.
std::vector<std::filesystem::path> olderTokenizerFiles(const std::filesystem::path& folder);

/// tokenizer.json as `transformers` 4.57 makes it of `files` (convert_slow_tokenizer.py), which are none of
/// M2M100's. Throws trace::Refusal.
nlohmann::json tokenizerOfOlderFiles(const std::vector<std::filesystem::path>& files,
                                     const TokenizerSettings& settings);

/// The name of a class whose files these are, for a folder that does not name one.
std::string kindOfOlderFiles(const std::vector<std::filesystem::path>& files);

} // namespace headscope::text
