#pragma once

#include "model/text/hugging_face/added_tokens.h"
#include "model/text/hugging_face/post_processor.h"
#include "model/text/hugging_face/tokenizer_settings.h"
#include "model/text/tokenizer.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::text {

/// Finds the id of a token of the model's vocabulary.
using IdOf = std::function<std::optional<std::int64_t>(const std::string& token)>;

/// Returns the added tokens of tokenizer.json and of the other files. New tokens get their id in the
/// vocabulary, otherwise the next free id (`vocabularySize` is the number of tokens).
std::vector<AddedToken> withTokensOf(const TokenizerSettings& settings, std::vector<AddedToken> tokens,
                                     const IdOf& idOf, std::int64_t vocabularySize);

/// Returns the ids of the roles in the settings.
SpecialTokens specialTokensOf(const TokenizerSettings& settings, const IdOf& idOf);

/// Tokens that classes of `transformers` add around a text regardless of tokenizer.json: Llama, Gemma and
/// GPT-NeoX by `add_bos_token` and `add_eos_token`. Nothing for other classes. Throws trace::Refusal.
std::optional<PostProcessor> frameOfClass(const TokenizerSettings& settings, const IdOf& idOf);

/// Returns the languages of mBART, mBART-50, M2M100 and NLLB that have a token in `tokens`.
LanguageTokens languagesOf(const TokenizerSettings& settings, const std::vector<AddedToken>& tokens);

/// Tokens that these classes add around a text in a language. Throws trace::Refusal for an unknown code.
PostProcessor frameOfLanguage(const TokenizerSettings& settings, const LanguageTokens& languages,
                              std::string_view code, const IdOf& idOf);

} // namespace headscope::text
