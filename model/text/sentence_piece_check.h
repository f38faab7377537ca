#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headscope::text {

/// Larger vocabularies are refused: nobody trains them.
inline constexpr std::size_t mostPieces = 1'000'000;

/// Refuses what would crash SentencePiece's own loader: broken protobuf framing, over-long or too many
/// pieces, and a normaliser table whose trie points outside itself. `where` names the file in the refusal.
void checkSentencePieceModel(std::string_view bytes, const std::string& where);

/// The same for a normaliser table by itself; an empty one is none.
void checkCharacterMap(std::string_view map, const std::string& where);

} // namespace headscope::text
