#include "model/text/hugging_face/fallback_bytes.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace headscope::text {

std::string fallbackToken(unsigned char byte) {
    std::array<char, 8> token{};
    std::snprintf(token.data(), token.size(), "<0x%02X>", static_cast<unsigned>(byte));
    return token.data();
}

std::optional<char> byteOfFallbackToken(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>'))
        return std::nullopt;
    unsigned byte = 0;
    const auto* end = token.data() + 5;
    const auto read = std::from_chars(token.data() + 3, end, byte, 16);
    return read.ec == std::errc() && read.ptr == end ? std::optional(static_cast<char>(byte)) : std::nullopt;
}

} // namespace headscope::text
