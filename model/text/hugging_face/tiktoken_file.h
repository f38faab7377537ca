#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace headscope::text {

/// Whether a file is a list of tokens in base64, each with its rank ("IQ== 0"), by its first line.
bool isTiktokenFile(const std::filesystem::path& path);

/// Returns the tokenizer.json of Llama 3's own folders, whose tokenizer.model is such a list: with its
/// splitting and its 256 special tokens. Tokens are merged as `tiktoken` does. Throws trace::Refusal.
nlohmann::json llama3Tokenizer(const std::filesystem::path& path);

/// The pre-tokenizer of Llama 3 and Qwen, which keep different numbers of digits together: a regular
/// expression, such as "\\p{N}".
nlohmann::json byteLevelStages(const std::string& digits);

} // namespace headscope::text
