#pragma once

#include "model/trace/token.h"

#include <filesystem>
#include <string>
#include <string_view>

/// Shared by the tests of model/text.
namespace headscope::tokens {

inline const std::filesystem::path wordReferences = HEADSCOPE_SOURCE "/tests/reference/words";

/// The typed text a token stands for.
inline std::string typed(const trace::Token& token, std::string_view text) {
    return std::string(text.substr(token.range->begin, token.range->end - token.range->begin));
}

} // namespace headscope::tokens
