#include "model/text/hugging_face/pattern.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"
#include "model/trace/refusal.h"

#include <unicode/regex.h>

#include <algorithm>
#include <utility>

namespace headscope::text {

namespace {

constexpr std::int32_t largestStack = 512 << 20; // bytes; a million spaces need a tenth
constexpr std::size_t longestExpression = 20'000;

std::u32string codesOf(std::string_view utf8) {
    std::u32string codes;
    for (const auto& character : charactersOf(utf8))
        codes += character.code;
    return codes;
}

/// Adds a match, and the text between it and the previous one.
void addMatch(std::vector<Stretch>& stretches, std::size_t begin, std::size_t end) {
    const std::size_t done = stretches.empty() ? 0 : stretches.back().end;
    if (done < begin)
        stretches.push_back({done, begin, false});
    stretches.push_back({begin, end, true});
}

void addRest(std::vector<Stretch>& stretches, std::size_t size) {
    const std::size_t done = stretches.empty() ? 0 : stretches.back().end;
    if (done < size || stretches.empty())
        stretches.push_back({done, size, false});
}

} // namespace

/// A regular expression of ICU.
class Pattern::Expression {
  public:
    Expression(const std::string& source, const std::string& where) : source_(source) {
        if (source.size() > longestExpression)
            refuseTokenizer(where,
                            "a regular expression of at most " + std::to_string(longestExpression) + " bytes",
                            std::to_string(source.size()) + " bytes");
        UErrorCode status = U_ZERO_ERROR;
        UParseError at{};
        pattern_.reset(icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(source), 0, at, status));
        if (U_FAILURE(status))
            refuseTokenizer(where, "a regular expression",
                            "\"" + files::printable(source) + "\", wrong at character " +
                                std::to_string(at.offset) + " (" + u_errorName(status) + ")");
    }

    std::vector<Stretch> stretches(std::span<const Character> text) const {
        const auto encoded = utf16Of(text);
        const icu::UnicodeString input(false, encoded.units.data(),
                                       static_cast<std::int32_t>(encoded.units.size())); // an alias
        UErrorCode status = U_ZERO_ERROR;
        const std::unique_ptr<icu::RegexMatcher> matcher(pattern_->matcher(input, status));
        if (U_SUCCESS(status)) {
            matcher->setStackLimit(largestStack, status);
            matcher->setTimeLimit(static_cast<std::int32_t>(100 + text.size() / 100), status);
        }
        std::vector<Stretch> stretches;
        while (U_SUCCESS(status) && matcher->find(status)) {
            const std::size_t begin = matcher->start(status);
            const std::size_t end = matcher->end(status);
            addMatch(stretches, encoded.characterAt[begin], encoded.characterAt[end]);
        }
        if (U_FAILURE(status))
            throw trace::Refusal({.what = "The text could not be split",
                                  .where = "the tokenizer's regular expression",
                                  .expected = "one that needs a few steps per character",
                                  .found = "\"" + files::printable(source_) + "\"",
                                  .wayOut = "use a shorter text, or token ids instead of text",
                                  .details = u_errorName(status)});
        addRest(stretches, text.size());
        return stretches;
    }

  private:
    std::string source_;
    std::unique_ptr<const icu::RegexPattern> pattern_;
};

Pattern::Pattern(const nlohmann::json& pattern, const std::string& where) {
    if (pattern.is_object() && pattern.contains("Regex"))
        expression_ = std::make_shared<Expression>(files::stringAt(pattern, "Regex", where), where);
    else if (pattern.is_object() && pattern.contains("String"))
        literal_ = codesOf(files::stringAt(pattern, "String", where));
    else
        refuseTokenizer(where, "a pattern, {\"String\": ...} or {\"Regex\": ...}",
                        files::printable(pattern.dump()));
}

Pattern::Pattern(std::string_view literal) : literal_(codesOf(literal)) {}

Pattern Pattern::ofExpression(const std::string& source, const std::string& where) {
    Pattern pattern("");
    pattern.expression_ = std::make_shared<Expression>(source, where);
    return pattern;
}

std::vector<Stretch> Pattern::words(std::span<const Character> text) const {
    std::vector<Stretch> words;
    for (const auto& stretch : stretches(text)) {
        if (stretch.matches && stretch.begin < stretch.end)
            words.push_back(stretch);
        bool isOpen = false;
        for (auto at = stretch.begin; !stretch.matches && at < stretch.end; ++at) {
            const bool isSpace = isUnicodeSpace(text[at].code);
            if (!isSpace && !isOpen)
                words.push_back({at, at, false});
            if (!isSpace)
                words.back().end = at + 1;
            isOpen = !isSpace;
        }
    }
    return words;
}

std::vector<Stretch> Pattern::stretches(std::span<const Character> text) const {
    if (expression_)
        return expression_->stretches(text);
    std::vector<Stretch> stretches;
    const auto isSame = [](const Character& character, char32_t code) { return character.code == code; };
    for (auto at = text.begin(); !literal_.empty();) {
        at = std::search(at, text.end(), literal_.begin(), literal_.end(), isSame);
        if (at == text.end())
            break;
        const std::size_t begin = at - text.begin();
        addMatch(stretches, begin, begin + literal_.size());
        at += static_cast<std::ptrdiff_t>(literal_.size());
    }
    addRest(stretches, text.size());
    return stretches;
}

} // namespace headscope::text
