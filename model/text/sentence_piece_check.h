#pragma once

#include <string>
#include <string_view>

namespace headscope::text {

/// Refuses what would crash SentencePiece's own loader: broken protobuf framing, over-long or too many
/// pieces, and a normaliser table whose trie points outside itself. `where` names the file in the refusal.
void checkSentencePieceModel(std::string_view bytes, const std::string& where);

} // namespace headscope::text
