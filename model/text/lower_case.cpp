#include "model/text/lower_case.h"

#include "model/files/utf8.h"

#include <locale>
#include <stdexcept>

namespace headscope::text {

namespace {

constexpr char32_t capitalSigma = 0x3A3;
constexpr char32_t finalSigma = 0x3C2;
constexpr char32_t dottedCapitalI = 0x130;
constexpr char32_t dotAbove = 0x307;

/// The C library's table of Unicode, whatever locale the program runs in.
const std::ctype<wchar_t>& letters() {
    static const std::locale unicode = [] {
        try {
            return std::locale("C.UTF-8");
        } catch (const std::runtime_error&) { // a system without it: ASCII only
            return std::locale::classic();
        }
    }();
    return std::use_facet<std::ctype<wchar_t>>(unicode);
}

char32_t lower(char32_t code) {
    return static_cast<char32_t>(letters().tolower(static_cast<wchar_t>(code)));
}

bool isCased(char32_t code) {
    return lower(code) != code || letters().toupper(static_cast<wchar_t>(code)) != static_cast<wchar_t>(code);
}

/// The usual ones of what Unicode calls case-ignorable: marks inside a word that do not end it.
bool isIgnored(char32_t code) {
    return (code >= 0x300 && code <= 0x36F) || code == '\'' || code == '.' || code == ':' || code == 0xAD ||
           code == 0xB7 || code == 0x2019;
}

/// A sigma is final if a letter comes before it and none behind.
bool isFinal(const std::vector<Character>& text, std::size_t sigma) {
    std::size_t before = sigma;
    while (before > 0 && isIgnored(text[before - 1].code))
        --before;
    std::size_t behind = sigma + 1;
    while (behind < text.size() && isIgnored(text[behind].code))
        ++behind;
    return before > 0 && isCased(text[before - 1].code) &&
           (behind == text.size() || !isCased(text[behind].code));
}

} // namespace

std::vector<Character> charactersOf(std::string_view utf8) {
    std::vector<Character> characters;
    for (std::size_t at = 0; at < utf8.size();) {
        const auto first = static_cast<unsigned char>(utf8[at]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        char32_t code = length == 1 ? first : first & (0x7Fu >> length);
        for (std::size_t i = 1; i < length; ++i)
            code = code << 6 | (static_cast<unsigned char>(utf8[at + i]) & 0x3Fu);
        characters.push_back({code, {at, at + length}});
        at += length;
    }
    return characters;
}

std::vector<Character> lowerCase(const std::vector<Character>& text) {
    std::vector<Character> lowered;
    lowered.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto [code, range] = text[at];
        if (code == capitalSigma && isFinal(text, at)) {
            lowered.push_back({finalSigma, range});
        } else if (code == dottedCapitalI) {
            lowered.push_back({'i', range});
            lowered.push_back({dotAbove, range});
        } else {
            lowered.push_back({lower(code), range});
        }
    }
    return lowered;
}

} // namespace headscope::text
