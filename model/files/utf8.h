#pragma once

#include <string_view>

namespace headscope::files {

/// Well-formed UTF-8 as Unicode defines it (table 3-7): no overlong forms, no surrogates, nothing beyond
/// U+10FFFF.
bool isUtf8(std::string_view text);

} // namespace headscope::files
