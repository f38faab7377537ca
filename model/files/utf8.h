#pragma once

#include <string>
#include <string_view>

namespace headscope::files {

/// Whether `text` is well-formed UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates, nothing above
/// U+10FFFF.
bool isUtf8(std::string_view text);

/// `code`: of a character, no surrogate, at most U+10FFFF.
void appendUtf8(std::string& text, char32_t code);

/// Makes a text safe for a terminal: control characters except line feed and tab, and bytes that are not
/// UTF-8, are escaped as in "\x1b".
std::string withoutControls(std::string_view text);

} // namespace headscope::files
