#include "model/text/hugging_face/precompiled_map.h"

#include "model/files/base64.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"
#include "model/text/sentence_piece_check.h"

#include <cstring>

namespace headscope::text {

namespace {

// Bits of a unit of the trie.
std::uint32_t labelOf(std::uint32_t unit) {
    return unit & 0x800000FFu;
}
bool hasLeaf(std::uint32_t unit) {
    return (unit >> 8 & 1) != 0;
}
std::size_t offsetOf(std::uint32_t unit) {
    return (unit >> 10) << ((unit & 0x200u) >> 6);
}
std::size_t valueOf(std::uint32_t unit) {
    return unit & 0x7FFFFFFFu;
}

} // namespace

PrecompiledMap::PrecompiledMap(const nlohmann::json& stage, const std::string& where) {
    const auto place = where + ", precompiled_charsmap";
    const auto decoded = files::fromBase64(files::stringAt(stage, "precompiled_charsmap", where, ""));
    if (!decoded)
        refuseTokenizer(place, "a table in base64", "other text");
    const auto& map = *decoded;
    checkCharacterMap(map, place); // prevents look-ups outside of the table
    if (map.empty())
        return;
    std::uint32_t trieBytes = 0;
    std::memcpy(&trieBytes, map.data(), sizeof trieBytes);
    units_.resize(trieBytes / sizeof(std::uint32_t));
    std::memcpy(units_.data(), map.data() + sizeof trieBytes, trieBytes);
    strings_ = map.substr(sizeof trieBytes + trieBytes);
}

std::optional<std::string_view> PrecompiledMap::replacementOf(std::string_view text) const {
    if (units_.empty())
        return std::nullopt;
    std::size_t place = offsetOf(units_[0]);
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        place ^= byte;
        const auto unit = units_[place];
        if (labelOf(unit) != byte)
            return std::nullopt;
        place ^= offsetOf(unit);
        if (hasLeaf(unit)) {
            const auto begin = valueOf(units_[place]);
            return std::string_view(strings_).substr(begin, strings_.find('\0', begin) - begin);
        }
    }
    return std::nullopt;
}

void PrecompiledMap::normalize(AlignedText& text) const {
    constexpr std::size_t longestReplaced = 5; // bytes
    AlignedText replaced;
    replaced.reserve(text.size());
    const auto add = [&](std::string_view replacement, trace::ByteRange range) {
        for (const auto& character : alignedTo(replacement, range))
            replaced.push_back(character);
    };
    std::span<const Character> rest(text);
    for (const auto length : graphemeLengths(text)) {
        refuseGrowth(text.size(), replaced.size());
        const auto grapheme = rest.first(length);
        rest = rest.subspan(length);
        const auto utf8 = utf8Of(grapheme);
        if (utf8.size() <= longestReplaced)
            if (const auto replacement = replacementOf(utf8)) {
                add(*replacement, rangeOf(grapheme));
                continue;
            }
        for (const auto& character : grapheme) {
            if (const auto replacement = replacementOf(utf8Of({&character, 1})))
                add(*replacement, character.range);
            else
                replaced.push_back(character);
        }
    }
    text = std::move(replaced);
}

} // namespace headscope::text
