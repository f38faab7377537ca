#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

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

/// One token as the model is fed it.
struct Token {
    std::int64_t id = 0;
    std::string piece; ///< as the vocabulary spells it, UTF-8; U+2581 marks a space before it
    TokenRole role = TokenRole::Text;
    std::optional<ByteRange> range; ///< where it stands in the typed sentence, if it does
    friend bool operator==(const Token&, const Token&) = default;
};

} // namespace headscope::trace
