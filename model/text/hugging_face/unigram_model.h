#pragma once

#include "model/text/hugging_face/prefix_search.h"
#include "model/text/hugging_face/token_model.h"

namespace headscope::text {

/// SentencePiece's Unigram: splits a word so that the sum of scores is largest. A character that
/// no token has costs 10 more than the worst of them; several in a row become one unknown token.
class UnigramModel : public TokenModel {
  public:
    UnigramModel(const nlohmann::json& stage, const std::string& where);

    std::vector<WordToken> tokenize(std::string_view word) const override;
    const TokenVocabulary& vocabulary() const override { return vocabulary_; }
    std::optional<std::int64_t> unknown() const override { return unknown_; }
    std::string description() const override;

  private:
    struct Entries {
        std::vector<std::string> tokens;
        std::vector<double> scores;
    };
    static Entries readEntries(const nlohmann::json& stage, const std::string& where);
    UnigramModel(Entries entries, const nlohmann::json& stage, const std::string& where);

    std::vector<WordToken> bestSplit(std::string_view word) const;
    void addUnknown(std::vector<WordToken>& tokens, std::string_view word, WordToken unknown) const;

    TokenVocabulary vocabulary_;
    PrefixSearch search_;
    std::vector<double> scores_; ///< by id
    double unknownScore_;
    std::optional<std::int64_t> unknown_;
    bool byteFallback_;
};

} // namespace headscope::text
