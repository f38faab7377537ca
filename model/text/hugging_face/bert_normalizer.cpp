#include "model/text/hugging_face/bert_normalizer.h"

#include "model/files/limited_json.h"
#include "model/text/hugging_face/unicode.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::text {

namespace {

constexpr char32_t replacementCharacter = 0xFFFD;

/// The blocks that BERT counts as Chinese.
bool isChinese(char32_t code) {
    constexpr std::array<std::pair<char32_t, char32_t>, 8> blocks{{{0x4E00, 0x9FFF},
                                                                   {0x3400, 0x4DBF},
                                                                   {0x20000, 0x2A6DF},
                                                                   {0x2A700, 0x2B73F},
                                                                   {0x2B740, 0x2B81F},
                                                                   {0x2B920, 0x2CEAF},
                                                                   {0xF900, 0xFAFF},
                                                                   {0x2F800, 0x2FA1F}}};
    return std::ranges::any_of(
        blocks, [&](const auto& block) { return code >= block.first && code <= block.second; });
}

bool isKeptControl(char32_t code) {
    return code == '\t' || code == '\n' || code == '\r';
}

void clean(AlignedText& text) {
    std::erase_if(text, [](const Character& character) {
        const auto code = character.code;
        return code == 0 || code == replacementCharacter || (isOther(code) && !isKeptControl(code));
    });
    for (auto& character : text)
        if (isUnicodeSpace(character.code))
            character.code = ' ';
}

void addSpacesAroundChinese(AlignedText& text) {
    AlignedText spaced;
    spaced.reserve(text.size());
    for (const auto& character : text) {
        if (!isChinese(character.code)) {
            spaced.push_back(character);
            continue;
        }
        spaced.push_back({' ', character.range});
        spaced.push_back(character);
        spaced.push_back({' ', character.range});
    }
    text = std::move(spaced);
}

} // namespace

BertNormalizer::BertNormalizer(const nlohmann::json& stage, const std::string& where)
    : cleans_(files::booleanAt(stage, "clean_text", where, true)),
      spacesChinese_(files::booleanAt(stage, "handle_chinese_chars", where, true)),
      lowers_(files::booleanAt(stage, "lowercase", where, true)),
      stripsAccents_(files::booleanAt(stage, "strip_accents", where, lowers_)) {}

void BertNormalizer::normalize(AlignedText& text) const {
    if (cleans_)
        clean(text);
    if (spacesChinese_)
        addSpacesAroundChinese(text);
    if (stripsAccents_) {
        text::normalize(text, NormalForm::Nfd);
        std::erase_if(text, [](const Character& character) { return isNonspacingMark(character.code); });
    }
    if (lowers_)
        lowerEach(text);
}

} // namespace headscope::text
