#include "model/text/split_words.h"

#include "model/files/utf8.h"
#include "model/text/hugging_face/aligned_text.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace headscope::text {

namespace {

/// str.isspace() of Python.
bool isWhiteSpace(char32_t code) {
    return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85 || code == 0xA0 ||
           code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
           code == 0x202F || code == 0x205F || code == 0x3000;
}

bool isOneOf(char32_t code, std::string_view characters) {
    return code < 0x80 && characters.find(static_cast<char>(code)) != characters.npos;
}

/// Collects characters into words.
class Words {
  public:
    void add(const Character& character) {
        if (!open_)
            words_.push_back({.range = character.range});
        open_ = true;
        files::appendUtf8(words_.back().text, character.code);
        words_.back().range.end = character.range.end;
    }
    void end() { open_ = false; }
    std::vector<Word> take() { return std::move(words_); }

  private:
    std::vector<Word> words_;
    bool open_ = false;
};

bool startsAt(const std::vector<Character>& text, std::size_t at, std::string_view ascii) {
    return at + ascii.size() <= text.size() &&
           std::equal(ascii.begin(), ascii.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char expected, const Character& found) {
                          return found.code == static_cast<unsigned char>(expected);
                      });
}

} // namespace

std::vector<Word> splitWhiteSpace(std::string_view sentence) {
    Words words;
    for (const auto& character : charactersOf(sentence))
        if (isWhiteSpace(character.code))
            words.end();
        else
            words.add(character);
    return words.take();
}

std::vector<Word> splitBasicEnglish(std::string_view sentence) {
    constexpr std::string_view lineBreak = "<br />";
    auto text = lowerCase(charactersOf(sentence));
    std::erase_if(text, [](const Character& character) { return character.code == '"'; });
    Words words;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto& character = text[at];
        if (startsAt(text, at, lineBreak)) {
            words.end();
            at += lineBreak.size() - 1;
        } else if (isWhiteSpace(character.code) || isOneOf(character.code, ";:")) {
            words.end();
        } else if (isOneOf(character.code, ".,()!?'")) {
            words.end();
            words.add(character);
            words.end();
        } else {
            words.add(character);
        }
    }
    return words.take();
}

std::vector<Word> splitByPattern(std::string_view sentence, const Pattern& pattern) {
    const auto text = charactersOf(sentence);
    std::vector<Word> words;
    for (const auto& [begin, end, matches] : pattern.words(text)) {
        const auto part = std::span(text).subspan(begin, end - begin);
        words.push_back({.text = utf8Of(part), .range = rangeOf(part), .isUnknown = !matches});
    }
    return words;
}

} // namespace headscope::text
