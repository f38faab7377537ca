#pragma once

#include "model/text/hugging_face/token_decoder.h"
#include "model/text/hugging_face/token_model.h"
#include "model/text/sentence_piece.h"

#include <filesystem>

namespace headscope::text {

/// The model of M2M100: SentencePiece splits, vocab.json has the ids.
class MappedPieceModel : public TokenModel {
  public:
    MappedPieceModel(std::shared_ptr<const SentencePieceModel> pieces,
                     const std::filesystem::path& vocabulary, const std::string& unknown);

    std::vector<WordToken> tokenize(std::string_view word) const override;
    const TokenVocabulary& vocabulary() const override { return vocabulary_; }
    std::optional<std::int64_t> unknown() const override { return unknown_; }
    std::string description() const override { return "SentencePiece and a vocabulary"; }

  private:
    std::shared_ptr<const SentencePieceModel> pieces_;
    TokenVocabulary vocabulary_;
    std::int64_t unknown_;
};

/// Joins tokens as SentencePiece does.
class PieceDecoder : public TokenDecoder {
  public:
    explicit PieceDecoder(std::shared_ptr<const SentencePieceModel> pieces) : pieces_(std::move(pieces)) {}
    std::vector<std::string> decode(std::vector<std::string> tokens) const override;

  private:
    std::shared_ptr<const SentencePieceModel> pieces_;
};

} // namespace headscope::text
