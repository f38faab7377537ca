#pragma once

#include "model/text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace headscope::text {

/// SentencePiece's own view of a model, for vocabularies that number its pieces in another way.
class SentencePieceModel : public Tokenizer {
  public:
    /// The text of pieces as the model spells them; those it does not hold stay as they are.
    virtual std::string join(std::span<const std::string> pieces) const = 0;
};

/// A SentencePiece model (.model, .spm). The file is checked before the library sees it.
/// Throws trace::Refusal.
std::unique_ptr<SentencePieceModel> openSentencePiece(const std::filesystem::path& path);

} // namespace headscope::text
