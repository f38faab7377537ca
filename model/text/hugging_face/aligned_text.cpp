#include "model/text/hugging_face/aligned_text.h"

#include "model/files/utf8.h"

#include <algorithm>

namespace headscope::text {

EncodedText encodedText(std::span<const Character> text) {
    EncodedText encoded;
    for (std::size_t at = 0; at < text.size(); ++at) {
        files::appendUtf8(encoded.utf8, text[at].code);
        encoded.characterAt.resize(encoded.utf8.size(), at);
    }
    return encoded;
}

std::string utf8Of(std::span<const Character> text) {
    std::string utf8;
    for (const auto& character : text)
        files::appendUtf8(utf8, character.code);
    return utf8;
}

trace::ByteRange rangeOf(std::span<const Character> text) {
    if (text.empty())
        return {};
    return {text.front().range.begin, std::max(text.front().range.end, text.back().range.end)};
}

AlignedText alignedTo(std::string_view content, trace::ByteRange range) {
    auto characters = charactersOf(content);
    for (auto& character : characters)
        character.range = range;
    return characters;
}

} // namespace headscope::text
