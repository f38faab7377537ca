#pragma once

#include "model/trace/token.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// One character of a sentence, and the bytes it comes from.
struct Character {
    char32_t code = 0;
    trace::ByteRange range;
};

/// The characters of well-formed UTF-8.
std::vector<Character> charactersOf(std::string_view utf8);

/// In lower case as Python's str.lower() has it, for the letters of every script: a capital sigma at the end
/// of a word becomes the final one, and a dotted capital I becomes two characters of one range.
std::vector<Character> lowerCase(const std::vector<Character>& text);

} // namespace headscope::text
