#pragma once

#include "model/text/lower_case.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace headscope::text {

/// A text derived from a typed text: characters with their byte ranges in the typed text.
using AlignedText = std::vector<Character>;

/// A section of the text that is split separately.
struct Section {
    AlignedText text;
    std::size_t begin = 0; ///< byte of the typed text where it begins, before characters were dropped
};

/// A text in UTF-8, and the character that each of its bytes belongs to.
struct EncodedText {
    std::string utf8;
    std::vector<std::size_t> characterAt; ///< one per byte
};

EncodedText encodedText(std::span<const Character> text);

std::string utf8Of(std::span<const Character> text);

/// Returns the byte range of a part in the typed text; empty at 0 for an empty part.
trace::ByteRange rangeOf(std::span<const Character> text);

/// Returns the characters of `content`, all with one range.
AlignedText alignedTo(std::string_view content, trace::ByteRange range);

} // namespace headscope::text
