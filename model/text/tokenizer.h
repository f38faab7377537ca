#pragma once

#include "model/trace/token.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// Turns a sentence into the ids a model was trained on, and back.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// The pieces of `text` (UTF-8) with their byte ranges in it; nothing is added around them. Refuses text
    /// that is no UTF-8.
    virtual std::vector<trace::Token> encode(std::string_view text) const = 0;
    /// The text of ids; control tokens vanish.
    virtual std::string decode(std::span<const std::int64_t> ids) const = 0;
    /// How the vocabulary spells an id, UTF-8.
    virtual std::string piece(std::int64_t id) const = 0;
    /// How many ids there are.
    virtual std::int64_t size() const = 0;
    /// In words, for `info`.
    virtual std::string description() const = 0;
};

} // namespace headscope::text
