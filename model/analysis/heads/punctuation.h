#pragma once

#include <string_view>

namespace headscope::analysis {

/// Whether a token consists of punctuation only, apart from space marks (U+2581). `piece` is UTF-8; covers
/// ASCII and the punctuation blocks of European, Chinese, Japanese, Arabic and Indic scripts.
bool isPunctuation(std::string_view piece);

} // namespace headscope::analysis
