#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::text {

/// A tokenizer as Hugging Face's files describe it.
struct TokenizerStages {
    nlohmann::json tokenizer; ///< tokenizer.json
    nlohmann::json settings;  ///< tokenizer_config.json
};

/// Returns the tokenizer that the metadata of a GGUF file describe under "tokenizer.ggml": pieces that are
/// merged by their scores ("llama"), byte pairs ("gpt2"), WordPiece ("bert") or Unigram ("t5"). Throws
/// trace::Refusal for other models, and for pre-tokenizers of other names than those in the table.
TokenizerStages ggufTokenizer(const nlohmann::json& metadata, const std::string& where);

} // namespace headscope::text
