#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// Splits UTF-8 text at white space, as Python's str.split() without arguments does.
std::vector<std::string_view> splitAtWhiteSpace(std::string_view text);

/// Returns the code points of UTF-8 text; an invalid byte becomes a code point of its own.
std::u32string codePoints(std::string_view text);

} // namespace headscope::analysis
