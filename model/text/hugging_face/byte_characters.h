#pragma once

#include "model/text/hugging_face/aligned_text.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope::text {

/// The printable character that byte-level vocabularies write for a byte (GPT-2's bytes_to_unicode()):
/// 33-126, 161-172 and 174-255 are unchanged, the others become U+0100 and following.
char32_t characterOfByte(unsigned char byte);

/// Replaces every byte of the text's UTF-8 by its printable character, with the range of the original
/// character.
AlignedText byteCharacters(const AlignedText& text);

/// Returns the bytes of a token of a byte-level vocabulary; nothing if it has other characters.
std::optional<std::string> bytesOfToken(std::string_view token);

/// Returns the shown text of a token of a byte-level vocabulary, with `trace::spaceMark` for spaces and
/// "<0xE2>" for bytes that do not form a printable character.
std::string readableToken(std::string_view token);

} // namespace headscope::text
