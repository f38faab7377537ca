#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::trace {

enum class TokenRole {
    Text,    ///< part of the typed or generated text
    Unknown, ///< text that the vocabulary does not contain
    Start,   ///< first input of the decoder
    End,     ///< end of sentence
    Padding, ///< fills up a batch; masked as a key
};

/// Returns true for tokens that are not text of the sentence; some statistics exclude them.
inline bool isSpecial(TokenRole role) {
    return role == TokenRole::Start || role == TokenRole::End || role == TokenRole::Padding;
}

/// Half-open range of bytes in the typed sentence (UTF-8).
struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Marks a space before a token, as in SentencePiece: U+2581, UTF-8.
inline constexpr std::string_view spaceMark = "\u2581";

/// One token as fed to the model.
struct Token {
    std::int64_t id = 0;
    std::string piece; ///< as spelled in the vocabulary, UTF-8; `spaceMark` stands for a preceding space
    TokenRole role = TokenRole::Text;
    std::optional<ByteRange> range; ///< its position in the typed sentence, if it has one
    friend bool operator==(const Token&, const Token&) = default;
};

/// Returns true if `tokens` has padding at `index`; false beyond its end.
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
