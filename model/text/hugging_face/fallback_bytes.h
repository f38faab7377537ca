#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headscope::text {

/// Returns the token of a byte, such as "<0x0A>".
std::string fallbackToken(unsigned char byte);

/// Returns the byte of such a token; nothing for other tokens.
std::optional<char> byteOfFallbackToken(std::string_view token);

} // namespace headscope::text
