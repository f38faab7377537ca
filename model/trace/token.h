#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::trace {

enum class TokenRole {
    Text,    ///< a piece of what was typed or generated
    Unknown, ///< a piece the vocabulary does not hold
    Start,   ///< what the decoder is fed first
    End,     ///< end of sentence
    Padding, ///< fills a batch; its key is closed
};

/// True for what is not text of the sentence: such tokens are left out where a statistic says so.
inline bool isSpecial(TokenRole role) {
    return role == TokenRole::Start || role == TokenRole::End || role == TokenRole::Padding;
}

/// Half-open range of bytes in the typed sentence (UTF-8).
struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Marks a space before a piece, as SentencePiece spells it: U+2581, UTF-8.
inline constexpr std::string_view spaceMark = "\u2581";

/// One token as the model is fed it.
struct Token {
    std::int64_t id = 0;
    std::string piece; ///< as the vocabulary spells it, UTF-8; `spaceMark` stands for a space before it
    TokenRole role = TokenRole::Text;
    std::optional<ByteRange> range; ///< where it stands in the typed sentence, if it does
    friend bool operator==(const Token&, const Token&) = default;
};

/// True if `tokens` has padding at `index`; false beyond its end.
inline bool isPadding(const std::vector<Token>& tokens, std::size_t index) {
    return index < tokens.size() && tokens[index].role == TokenRole::Padding;
}

inline std::vector<std::int64_t> idsOf(const std::vector<Token>& tokens) {
    std::vector<std::int64_t> ids;
    ids.reserve(tokens.size());
    for (const Token& token : tokens)
        ids.push_back(token.id);
    return ids;
}

} // namespace headscope::trace
