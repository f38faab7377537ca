#include "model/analysis/heads/white_space.h"

#include <algorithm>
#include <cstdint>

namespace headscope::analysis {

namespace {

struct CodePoint {
    char32_t value;
    std::size_t bytes;
};

CodePoint codePointAt(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    const std::uint8_t first = byte(0);
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (bytes == 1 || at + bytes > text.size())
        return {first, 1};
    char32_t value = first & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {first, 1};
        value = value << 6 | (byte(i) & 0x3FU);
    }
    return {value, bytes};
}

bool isWhiteSpace(CodePoint point) {
    const auto c = point.value;
    if (point.bytes == 1)
        return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

} // namespace

std::vector<std::string_view> splitAtWhiteSpace(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto point = codePointAt(text, at);
        if (isWhiteSpace(point)) {
            if (at > begin)
                parts.push_back(text.substr(begin, at - begin));
            begin = at + point.bytes;
        }
        at += point.bytes;
    }
    if (begin < text.size())
        parts.push_back(text.substr(begin));
    return parts;
}

std::u32string codePoints(std::string_view text) {
    std::u32string points;
    for (std::size_t at = 0; at < text.size();) {
        const auto point = codePointAt(text, at);
        points += point.value;
        at += point.bytes;
    }
    return points;
}

} // namespace headscope::analysis
