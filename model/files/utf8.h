#pragma once

#include <string>
#include <string_view>

namespace headscope::files {

/// Well-formed UTF-8 as Unicode defines it (table 3-7): no overlong forms, no surrogates, nothing beyond
/// U+10FFFF.
bool isUtf8(std::string_view text);

/// For a terminal: control characters but the end of a line and the tabulator, and bytes that are no UTF-8,
/// are written as "\\x1b".
std::string withoutControls(std::string_view text);

} // namespace headscope::files
