#include "model/text/hugging_face/byte_characters.h"

#include "model/files/utf8.h"
#include "model/text/hugging_face/fallback_bytes.h"

#include <array>
#include <unordered_map>

namespace headscope::text {

namespace {

constexpr std::array<char32_t, 256> charactersOfBytes = [] {
    std::array<char32_t, 256> characters{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
        const bool isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        characters[byte] = isPrintable ? byte : next++;
    }
    return characters;
}();

std::optional<char> byteOfCharacter(char32_t code) {
    static const auto bytes = [] {
        std::unordered_map<char32_t, char> inverse;
        for (std::size_t byte = 0; byte < 256; ++byte)
            inverse.emplace(charactersOfBytes[byte], static_cast<char>(byte));
        return inverse;
    }();
    const auto found = bytes.find(code);
    return found == bytes.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the length of the first character of a text; 0 if it is not valid UTF-8.
std::size_t characterLength(std::string_view text) {
    for (std::size_t length = 1; length <= 4 && length <= text.size(); ++length)
        if (files::isUtf8(text.substr(0, length)))
            return length;
    return 0;
}

} // namespace

char32_t characterOfByte(unsigned char byte) {
    return charactersOfBytes[byte];
}

AlignedText byteCharacters(const AlignedText& text) {
    AlignedText characters;
    characters.reserve(text.size());
    for (const auto& character : text)
        for (const char byte : utf8Of({&character, 1}))
            characters.push_back({characterOfByte(static_cast<unsigned char>(byte)), character.range});
    return characters;
}

std::optional<std::string> bytesOfToken(std::string_view token) {
    std::string bytes;
    for (const auto& character : charactersOf(token)) {
        const auto byte = byteOfCharacter(character.code);
        if (!byte)
            return std::nullopt;
        bytes += *byte;
    }
    return bytes;
}

std::string readableToken(std::string_view token) {
    const auto bytes = bytesOfToken(token);
    if (!bytes)
        return std::string(token);
    std::string readable;
    for (std::string_view rest = *bytes; !rest.empty();) {
        const auto first = static_cast<unsigned char>(rest.front());
        const auto length = characterLength(rest);
        if (first == ' ') {
            readable += trace::spaceMark;
        } else if (length == 0 || first < ' ' || first == 0x7f) {
            readable += fallbackToken(first);
        } else {
            readable += rest.substr(0, length);
        }
        rest.remove_prefix(length == 0 ? 1 : length);
    }
    return readable;
}

} // namespace headscope::text
