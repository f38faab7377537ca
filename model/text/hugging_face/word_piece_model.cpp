#include "model/text/hugging_face/word_piece_model.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"

#include <algorithm>

namespace headscope::text {

namespace {

constexpr std::int64_t mostCharacters = 10'000; // the time grows with the square of a word's length

bool startsCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

} // namespace

WordPieceModel::WordPieceModel(const nlohmann::json& stage, const std::string& where)
    : vocabulary_(files::memberAt(stage, "vocab", where), where + ", vocab"),
      continuingPrefix_(files::stringAt(stage, "continuing_subword_prefix", where, "##")),
      longestWord_(files::integerAt(stage, "max_input_chars_per_word", where, 100)) {
    const auto token = files::stringAt(stage, "unk_token", where, "[UNK]");
    const auto unknown = vocabulary_.id(token);
    if (!unknown)
        refuseTokenizer(where, "the unknown token in the vocabulary",
                        "none spelled \"" + files::printable(token) + "\"");
    unknown_ = *unknown;
    if (longestWord_ < 0 || longestWord_ > mostCharacters)
        refuseTokenizer(where + ", max_input_chars_per_word",
                        "a number from 0 to " + std::to_string(mostCharacters), std::to_string(longestWord_));
}

std::optional<WordToken> WordPieceModel::longestToken(std::string_view word, std::size_t begin) const {
    std::string spelling(begin == 0 ? "" : continuingPrefix_);
    const auto prefix = spelling.size();
    spelling += word.substr(begin);
    for (std::size_t end = word.size(); end > begin; --end) {
        if (end < word.size() && !startsCharacter(word[end]))
            continue;
        if (const auto id = vocabulary_.id(std::string_view(spelling).substr(0, prefix + end - begin)))
            return WordToken{*id, begin, end};
    }
    return std::nullopt;
}

std::vector<WordToken> WordPieceModel::tokenize(std::string_view word) const {
    const std::vector<WordToken> asUnknown{{unknown_, 0, word.size()}};
    if (std::ranges::count_if(word, startsCharacter) > longestWord_)
        return asUnknown;
    std::vector<WordToken> tokens;
    while (tokens.empty() || tokens.back().end < word.size()) {
        const auto token = longestToken(word, tokens.empty() ? 0 : tokens.back().end);
        if (!token)
            return asUnknown;
        tokens.push_back(*token);
    }
    return tokens;
}

} // namespace headscope::text
