#pragma once

#include "model/text/hugging_face/normalizer.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace headscope::text {

/// SentencePiece's table of replacements (`precompiled_charsmap`), applied as `tokenizers` does: a grapheme
/// cluster of less than 6 bytes is replaced as a whole by the replacement of its shortest known prefix; the
/// characters of longer clusters one by one. SentencePiece itself takes the longest prefix and keeps the
/// rest.
class PrecompiledMap : public Normalizer {
  public:
    PrecompiledMap(const nlohmann::json& stage, const std::string& where);
    void normalize(AlignedText& text) const override;

  private:
    std::optional<std::string_view> replacementOf(std::string_view text) const;

    std::vector<std::uint32_t> units_; ///< of a double-array trie (darts-clone); empty: nothing is replaced
    std::string strings_;              ///< zero-terminated replacements
};

} // namespace headscope::text
