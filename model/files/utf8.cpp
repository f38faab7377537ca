#include "model/files/utf8.h"

#include <cstddef>

namespace headscope::files {

namespace {

/// Length of the well-formed character at the start of `text`; 0 if there is none.
std::size_t characterLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
        return 0;
    // After some lead bytes the second byte has a narrower range, which excludes overlong forms, surrogates
    // and code points above U+10FFFF.
    const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < lowest || byte(1) > highest)
        return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    return length;
}

} // namespace

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

void appendUtf8(std::string& text, char32_t code) {
    const auto continuation = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | code >> 6);
        continuation(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0 | code >> 12);
        continuation(6);
        continuation(0);
    } else {
        text += static_cast<char>(0xF0 | code >> 18);
        continuation(12);
        continuation(6);
        continuation(0);
    }
}

std::string withoutControls(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const bool wellFormed = isUtf8(text);
    std::string readable;
    readable.reserve(text.size());
    const auto escape = [&](unsigned char byte) {
        readable += "\\x";
        readable += digits[byte >> 4];
        readable += digits[byte & 15];
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F || (byte >= 0x80 && !wellFormed)) {
            escape(byte);
        } else if (byte == 0xC2 && next < 0xA0) { // U+0080 to U+009F
            escape(next);
            ++i;
        } else {
            readable += text[i];
        }
    }
    return readable;
}

} // namespace headscope::files
