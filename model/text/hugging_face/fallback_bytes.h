#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headscope::text {

/// The token of a byte that no other token contains: "<0x0A>".
std::string fallbackToken(unsigned char byte);

/// The byte of such a token.
std::optional<char> byteOfFallbackToken(std::string_view token);

} // namespace headscope::text
