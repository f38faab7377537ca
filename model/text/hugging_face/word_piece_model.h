#pragma once

#include "model/text/hugging_face/token_model.h"

namespace headscope::text {

/// Takes the longest token at the beginning of a word, then the longest continuation, and so on. A word that
/// cannot be split completely, or is too long, is unknown as a whole.
class WordPieceModel : public TokenModel {
  public:
    WordPieceModel(const nlohmann::json& stage, const std::string& where);

    std::vector<WordToken> tokenize(std::string_view word) const override;
    const TokenVocabulary& vocabulary() const override { return vocabulary_; }
    std::optional<std::int64_t> unknown() const override { return unknown_; }
    std::string description() const override { return "WordPiece"; }

  private:
    std::optional<WordToken> longestToken(std::string_view word, std::size_t begin) const;

    TokenVocabulary vocabulary_;
    std::int64_t unknown_;
    std::string continuingPrefix_;
    std::int64_t longestWord_; ///< in characters
};

} // namespace headscope::text
