#include "model/analysis/heads/punctuation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace headscope::analysis {

namespace {

constexpr char32_t spacePoint = 0x2581;

// Ranges of Unicode's general category P, in ascending order.
constexpr std::array<std::pair<char32_t, char32_t>, 26> ranges{{
    {0x21, 0x23},     {0x25, 0x2A},     {0x2C, 0x2F},     {0x3A, 0x3B},     {0x3F, 0x40},
    {0x5B, 0x5D},     {0x5F, 0x5F},     {0x7B, 0x7B},     {0x7D, 0x7D},     {0xA1, 0xA1},
    {0xA7, 0xA7},     {0xAB, 0xAB},     {0xB6, 0xB7},     {0xBB, 0xBB},     {0xBF, 0xBF},
    {0x5BE, 0x5BE},   {0x60C, 0x60D},   {0x61B, 0x61F},   {0x6D4, 0x6D4},   {0x964, 0x965},
    {0x2010, 0x2027}, {0x2030, 0x2043}, {0x3001, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301F},
    {0xFF01, 0xFF0F},
}};

/// Removes one code point from the front and returns it; for invalid UTF-8 removes one byte and returns 0.
char32_t takeCodePoint(std::string_view& text) {
    const auto first = static_cast<std::uint8_t>(text.front());
    const std::size_t length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length == 0 || length > text.size()) {
        text.remove_prefix(1);
        return 0;
    }
    char32_t point = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i)
        point = point << 6 | (static_cast<std::uint8_t>(text[i]) & 0x3FU);
    text.remove_prefix(length);
    return point;
}

} // namespace

bool isPunctuation(std::string_view piece) {
    bool any = false;
    while (!piece.empty()) {
        const char32_t point = takeCodePoint(piece);
        if (point == spacePoint)
            continue;
        if (!std::ranges::any_of(
                ranges, [&](const auto& range) { return range.first <= point && point <= range.second; }))
            return false;
        any = true;
    }
    return any;
}

} // namespace headscope::analysis
