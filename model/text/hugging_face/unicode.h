#pragma once

#include "model/text/hugging_face/aligned_text.h"

namespace headscope::text {

/// Classes of characters as the Rust libraries behind tokenizer.json define them.
bool isUnicodeSpace(char32_t code);  ///< White_Space
bool isNumber(char32_t code);        ///< Nd, Nl, No
bool isMark(char32_t code);          ///< Mn, Mc, Me of Unicode 9
bool isWordCharacter(char32_t code); ///< \w of regular expressions

/// Punctuation as BertPreTokenizer defines it: that of ASCII, symbols included, and P* of Unicode 8.
bool isPunctuation(char32_t code);
/// Accents as BertNormalizer defines them: Mn of Unicode 8.
bool isNonspacingMark(char32_t code);
/// Control characters as BertNormalizer defines them: Cc, Cf and Co of Unicode 8.
bool isOther(char32_t code);

enum class NormalForm { Nfc, Nfd, Nfkc, Nfkd };

/// Each character of a composed or decomposed sequence gets the range of the sequence.
void normalize(AlignedText& text, NormalForm form);

/// Converts to lower case character by character, without final sigma.
void lowerEach(AlignedText& text);

/// The lengths, in characters, of the grapheme clusters of a text.
std::vector<std::size_t> graphemeLengths(const AlignedText& text);

/// A text in UTF-16, and the character that each of its units belongs to; one more at the end.
struct Utf16Text {
    std::u16string units;
    std::vector<std::size_t> characterAt;
};
Utf16Text utf16Of(std::span<const Character> text);

} // namespace headscope::text
