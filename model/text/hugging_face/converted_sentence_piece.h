#pragma once

#include "model/text/hugging_face/sentence_piece_file.h"
#include "model/text/hugging_face/tokenizer_settings.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headscope::text {

/// tokenizer.json as `transformers` 4.57 creates it from a SentencePiece model of the settings' class. Throws
/// trace::Refusal.
nlohmann::json convertedSentencePiece(const std::filesystem::path& path, const TokenizerSettings& settings);
nlohmann::json convertedSentencePiece(SentencePieceFile file, const TokenizerSettings& settings,
                                      const std::string& where);

/// A TemplateProcessing stage. Parts are "$A", "$B", followed by ":1" for token type 1, or special
/// tokens.
nlohmann::json templateOf(const std::vector<std::string>& single, const std::vector<std::string>& pair,
                          const std::map<std::string, std::int64_t>& specialTokens);

} // namespace headscope::text
