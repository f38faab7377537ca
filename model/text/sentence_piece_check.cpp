#include "model/text/sentence_piece_check.h"

#include "model/files/utf8.h"
#include "model/text/sentence_piece_fields.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace headscope::text {

namespace {

constexpr std::size_t longestPiece = 1024;

/// What characters are replaced by. A long one would make gigabytes of a sentence.
void checkStrings(std::string_view strings, const std::string& where) {
    if (strings.back() != '\0')
        refuseModel(where, "a normaliser table whose last string does not end");
    if (!files::isUtf8(strings))
        refuseModel(where, "a normaliser table whose strings are no UTF-8");
    for (std::size_t begin = 0; begin < strings.size();) {
        const auto end = strings.find('\0', begin);
        if (end - begin > longestPiece)
            refuseModel(where,
                        "a normaliser table with a string of " + std::to_string(end - begin) + " bytes");
        begin = end + 1;
    }
}

/// Whether `at` lies within the strings, and not within a character of theirs.
bool isStartOfCharacter(std::string_view strings, std::size_t at) {
    return at < strings.size() && (static_cast<unsigned char>(strings[at]) & 0xc0) != 0x80;
}

void checkPiece(std::string_view message, const std::string& where) {
    FieldReader fields(message, where);
    while (const auto field = fields.next()) {
        if (field->number != 1 || field->wireType != 2)
            continue;
        if (field->content.size() > longestPiece)
            refuseModel(where, "a piece of " + std::to_string(field->content.size()) + " bytes, more than " +
                                   std::to_string(longestPiece));
        if (!files::isUtf8(field->content))
            refuseModel(where, "a piece that is no UTF-8");
        if (field->content.find('\0') != field->content.npos) // the library's trie ends its keys there
            refuseModel(where, "a piece with a zero byte");
    }
}

} // namespace

/// The normaliser's table: u32 size of a double-array trie (darts-clone units), the trie, zero-terminated
/// strings. Every unit that a lookup can reach must lie inside the trie, and every value inside the strings.
void checkCharacterMap(std::string_view map, const std::string& where) {
    std::uint32_t trieBytes = 0;
    if (map.empty())
        return;
    if (map.size() < sizeof trieBytes)
        refuseModel(where, "a normaliser table of " + std::to_string(map.size()) + " bytes");
    std::memcpy(&trieBytes, map.data(), sizeof trieBytes);
    map.remove_prefix(sizeof trieBytes);
    if (trieBytes == 0 || trieBytes % 1024 != 0 || trieBytes >= map.size())
        refuseModel(where, "a normaliser table whose trie says " + std::to_string(trieBytes) + " bytes of " +
                               std::to_string(map.size()));
    const auto strings = map.substr(trieBytes);
    checkStrings(strings, where);

    std::vector<std::uint32_t> units(trieBytes / sizeof(std::uint32_t));
    std::memcpy(units.data(), map.data(), trieBytes);
    const auto offset = [](std::uint32_t unit) { return (unit >> 10) << ((unit & (1u << 9)) >> 6); };
    std::vector<bool> seen(units.size());
    std::vector<std::size_t> open{0};
    seen[0] = true;
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        const std::size_t base = node ^ offset(units[node]);
        if ((base | 0xff) >= units.size())
            refuseModel(where, "a normaliser table whose trie points outside itself");
        const bool hasLeaf = (units[node] >> 8) & 1;
        if (hasLeaf && !isStartOfCharacter(strings, units[base] & 0x7fffffffu))
            refuseModel(where, "a normaliser table whose trie points outside its strings");
        for (std::size_t label = 0; label < 256; ++label) { // 0 too: a text may hold a zero byte
            const std::size_t child = base ^ label;
            if ((units[child] & 0x800000ffu) == label && !seen[child]) {
                seen[child] = true;
                open.push_back(child);
            }
        }
    }
}

void checkSentencePieceModel(std::string_view bytes, const std::string& where) {
    constexpr std::uint32_t piecesField = 1;
    constexpr std::uint32_t normalizerField = 3;
    constexpr std::uint32_t denormalizerField = 5;
    constexpr std::uint32_t characterMapField = 2;
    std::size_t pieces = 0;
    FieldReader fields(bytes, where);
    while (const auto field = fields.next()) {
        if (field->wireType != 2)
            continue;
        if (field->number == piecesField) {
            if (++pieces > mostPieces)
                refuseModel(where, "more than " + std::to_string(mostPieces) + " pieces");
            checkPiece(field->content, where);
        } else if (field->number == normalizerField || field->number == denormalizerField) {
            FieldReader normalizer(field->content, where);
            while (const auto part = normalizer.next())
                if (part->number == characterMapField && part->wireType == 2)
                    checkCharacterMap(part->content, where);
        }
    }
    if (pieces == 0)
        refuseModel(where, "no pieces");
}

} // namespace headscope::text
