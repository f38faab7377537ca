#pragma once

#include <string_view>

namespace headscope::analysis {

/// True for a piece that is punctuation and nothing else, space marks (U+2581) apart. UTF-8; ASCII and the
/// blocks that European, Chinese, Japanese, Arabic and Indic scripts take theirs from.
bool isPunctuation(std::string_view piece);

} // namespace headscope::analysis
