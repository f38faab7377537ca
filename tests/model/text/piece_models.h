#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// SentencePiece models made byte by byte (protobuf: protobuf.dev, "Encoding"; fields:
/// sentencepiece_model.proto).
namespace piece_models {

inline std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}

inline std::string field(int number, std::string_view content) {
    return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(content.size()) +
           std::string(content);
}

inline std::string number(int fieldNumber, std::uint64_t value) {
    return varint(static_cast<std::uint64_t>(fieldNumber) << 3) + varint(value);
}

enum PieceType { Normal = 1, Unknown = 2, Control = 3 };

inline std::string piece(std::string_view text, PieceType type = Normal) {
    const std::string score = std::string("\x15\x00\x00\x80\xbf", 5); // field 2, a float: -1
    return field(1, field(1, text) + score + number(3, type));
}

/// A normaliser whose table is `characterMap`.
inline std::string normalizer(std::string_view characterMap) {
    return field(3, field(1, "identity") + (characterMap.empty() ? "" : field(2, characterMap)));
}

/// A trie of `units`, the first of which is its root, and its strings.
inline std::string characterMap(const std::vector<std::uint32_t>& units, std::string_view strings) {
    std::string bytes;
    const auto append = [&](std::uint32_t value) {
        for (int byte = 0; byte < 4; ++byte)
            bytes += static_cast<char>(value >> (8 * byte) & 0xff);
    };
    append(static_cast<std::uint32_t>(units.size() * 4));
    for (const auto unit : units)
        append(unit);
    return bytes + std::string(strings);
}

/// The smallest model that splits words of a and b.
inline std::string small(std::string_view map = {}) {
    return piece("<unk>", Unknown) + piece("</s>", Control) + piece("\xe2\x96\x81") + piece("a") +
           piece("b") + piece("ab") + field(2, number(3, 1)) + normalizer(map);
}

} // namespace piece_models
