#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// The parts of UTF-8 text between white space, as Python's str.split() without arguments finds them.
std::vector<std::string_view> splitAtWhiteSpace(std::string_view text);

/// The code points of UTF-8 text; a byte that belongs to none is one by itself.
std::u32string codePoints(std::string_view text);

} // namespace headscope::analysis
