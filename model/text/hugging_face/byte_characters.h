#pragma once

#include "model/text/hugging_face/aligned_text.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope::text {

/// The printable character that byte-level vocabularies write for a byte (GPT-2's bytes_to_unicode()):
/// 33-126, 161-172 and 174-255 stand for themselves, the others for U+0100 and on.
char32_t characterOfByte(unsigned char byte);

/// The text with every byte of its UTF-8 as such a character. All bytes of a character have its range.
AlignedText byteCharacters(const AlignedText& text);

/// The bytes that a token of a byte-level vocabulary stands for; nothing if it has other characters.
std::optional<std::string> bytesOfToken(std::string_view token);

/// A token of a byte-level vocabulary as it is shown: text, with `trace::spaceMark` for spaces, and "<0xE2>"
/// for each byte that is no printable character by itself.
std::string readableToken(std::string_view token);

} // namespace headscope::text
