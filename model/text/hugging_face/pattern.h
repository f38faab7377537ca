#pragma once

#include "model/text/hugging_face/aligned_text.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace headscope::text {

/// Part of a text, in characters, and whether a pattern matches it.
struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool matches = false;
};

/// A search pattern: {"String": ...} or {"Regex": ...} in tokenizer.json. Regular expressions have
/// Oniguruma's syntax, which ICU's nearly includes. An empty string matches nothing.
class Pattern {
  public:
    /// Throws trace::Refusal; `where` names the place in the file.
    Pattern(const nlohmann::json& pattern, const std::string& where);
    /// A literal text.
    explicit Pattern(std::string_view literal);
    /// A regular expression. Throws trace::Refusal.
    static Pattern ofExpression(const std::string& source, const std::string& where);

    /// All parts of a text in order, without gaps. Throws trace::Refusal if a regular expression needs
    /// far more steps than the text has characters.
    std::vector<Stretch> stretches(std::span<const Character> text) const;
    /// Returns the matches, and the words of the text between them, which ends at white space. No part is
    /// empty.
    std::vector<Stretch> words(std::span<const Character> text) const;

  private:
    class Expression;
    std::u32string literal_;
    std::shared_ptr<const Expression> expression_; ///< null: the literal
};

/// Splits at a class of characters; each character is a separate match.
template <class IsMatch>
std::vector<Stretch> stretchesOf(std::span<const Character> text, IsMatch&& isMatch) {
    std::vector<Stretch> stretches;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool matches = isMatch(text[at].code);
        if (!matches && !stretches.empty() && !stretches.back().matches)
            stretches.back().end = at + 1;
        else
            stretches.push_back({at, at + 1, matches});
    }
    return stretches;
}

} // namespace headscope::text
