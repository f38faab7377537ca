#pragma once

#include "model/text/hugging_face/token_vocabulary.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// A token of a word, and its bytes in the word.
struct WordToken {
    std::int64_t id = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The stage that splits words into tokens; `model` of tokenizer.json.
class TokenModel {
  public:
    virtual ~TokenModel() = default;
    /// `word` is UTF-8 and not empty.
    virtual std::vector<WordToken> tokenize(std::string_view word) const = 0;
    virtual const TokenVocabulary& vocabulary() const = 0;
    virtual std::optional<std::int64_t> unknown() const = 0;
    /// Returns a name such as "byte pair encoding".
    virtual std::string description() const = 0;
};

/// Types: BPE, WordPiece, Unigram. Throws trace::Refusal; `where` names the place in the file.
std::unique_ptr<const TokenModel> readTokenModel(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
