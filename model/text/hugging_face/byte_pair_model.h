#pragma once

#include "model/text/hugging_face/token_model.h"

#include "model/trace/token.h"

#include <unordered_map>

namespace headscope::text {

/// Byte pair encoding: characters are merged pair by pair, in the order in which the pairs were learned,
/// equal pairs from left to right. `dropout` is ignored.
class BytePairModel : public TokenModel {
  public:
    BytePairModel(const nlohmann::json& stage, const std::string& where);

    std::vector<WordToken> tokenize(std::string_view word) const override;
    const TokenVocabulary& vocabulary() const override { return vocabulary_; }
    std::optional<std::int64_t> unknown() const override { return unknown_; }
    std::string description() const override;

  private:
    struct Merge {
        std::size_t rank = 0;
        std::int64_t id = 0; ///< of the merged token
    };
    class Merging;

    void readMerges(const nlohmann::json& stage, const std::string& where);
    std::vector<WordToken> characterTokens(std::string_view word) const;
    /// Adds a token for each byte of a character, unless one of them has none.
    bool addBytes(std::vector<WordToken>& tokens, std::string_view spelling, trace::ByteRange range) const;
    const Merge* merge(std::int64_t left, std::int64_t right) const;

    TokenVocabulary vocabulary_;
    std::unordered_map<std::uint64_t, Merge> merges_; ///< key: both ids
    std::optional<std::int64_t> unknown_;
    std::string continuingPrefix_; ///< prefix of all tokens but the first of a word
    std::string endSuffix_;        ///< suffix of the last token of a word
    bool fuseUnknown_;
    bool byteFallback_;
    bool ignoreMerges_; ///< a whole word of the vocabulary is one token
};

} // namespace headscope::text
