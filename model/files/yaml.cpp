#include "model/files/yaml.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/files/findings.h"
#include "model/files/utf8.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using nlohmann::json;
using namespace std::string_view_literals;

/// What stands in a line, without its indentation; a line of an item, "- a: 1", is that of its content once
/// the mark is taken.
struct Line {
    std::size_t indentation = 0;
    std::string_view text;
};

std::string_view withoutBlanksBehind(std::string_view text) {
    while (text.ends_with(' ') || text.ends_with('\t'))
        text.remove_suffix(1);
    return text;
}

bool startsComment(std::string_view text) {
    return text.empty() || text.front() == '#';
}

/// Whether a line begins with the mark of an item.
bool isItem(std::string_view text) {
    return text == "-" || text.starts_with("- ");
}

std::optional<json> number(std::string_view text) {
    const auto digits = text.substr(text.starts_with('-') || text.starts_with('+'));
    if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != digits.npos ||
        digits.find_first_of("0123456789") == digits.npos)
        return std::nullopt;
    const auto plain = text.substr(text.starts_with('+'));
    const char* const end = plain.data() + plain.size();
    const bool isWhole = digits.find_first_not_of("0123456789") == digits.npos;
    if (isWhole && digits.size() > 1 && digits.front() == '0')
        return std::nullopt; // an octal number to some readers
    if (std::int64_t whole = 0; isWhole) {
        const auto [at, error] = std::from_chars(plain.data(), end, whole);
        if (error != std::errc() || at != end)
            return std::nullopt;
        return whole < 0 ? json(whole) : json(static_cast<std::uint64_t>(whole)); // as parseJson() does
    }
    double value = 0;
    const auto [at, error] = std::from_chars(plain.data(), end, value);
    return error == std::errc() && at == end && std::isfinite(value) ? std::optional<json>(value)
                                                                     : std::nullopt;
}

json plainScalar(std::string_view text) {
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
        return nullptr;
    if (text == "true" || text == "True" || text == "TRUE")
        return true;
    if (text == "false" || text == "False" || text == "FALSE")
        return false;
    if (auto value = number(text))
        return std::move(*value);
    return std::string(text);
}

void addCharacter(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | code >> 6);
        add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3F));
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    }
}

class YamlReader {
  public:
    YamlReader(std::string_view text, const std::string& where, const YamlLimits& limits)
        : rest_(text), where_(where), limits_(limits) {}

    json document() {
        advance();
        if (!ended_ && line_.text == "---")
            advance();
        auto value = ended_ ? json() : block(line_.indentation, 0);
        if (!ended_)
            fail("the end, or lines of the same indentation", "\"" + printable(line_.text, 40) + "\"");
        return value;
    }

  private:
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
        throw trace::Refusal({.what = "This YAML cannot be read",
                              .where = where_ + ", line " + std::to_string(number_),
                              .expected = expected,
                              .found = found,
                              .wayOut = "correct the file, or write it as JSON"});
    }

    void refuseBeyond(const std::string& found) const {
        fail("mappings, sequences, and plain and quoted scalars on one line", found);
    }

    void count() {
        if (++values_ > limits_.values)
            fail("at most " + std::to_string(limits_.values) + " values", "more");
    }

    void refuseDeeper(int depth) const {
        if (depth > limits_.depth)
            fail("at most " + std::to_string(limits_.depth) + " levels", "more");
    }

    /// Goes to the next line that is neither blank nor a comment.
    void advance() {
        while (!rest_.empty()) {
            const auto end = rest_.find('\n');
            auto text = rest_.substr(0, end);
            rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
            ++number_;
            if (text.ends_with('\r'))
                text.remove_suffix(1);
            const auto first = text.find_first_not_of(' ');
            if (first == text.npos || text[first] == '#')
                continue;
            if (text[first] == '\t')
                fail("blanks before the first character", "a tabulator");
            line_ = {first, withoutBlanksBehind(text.substr(first))};
            if (first == 0 && (line_.text == "..." || line_.text == "---") && hasContent_) {
                if (line_.text == "---")
                    refuseBeyond("a second document");
                break;
            }
            hasContent_ = hasContent_ || line_.text != "---";
            return;
        }
        ended_ = true;
    }

    json block(std::size_t indentation, int depth) {
        refuseDeeper(depth);
        if (isItem(line_.text))
            return sequence(indentation, depth);
        auto rest = line_.text;
        if (const auto key = takeKey(rest))
            return mapping(indentation, depth);
        auto value = inlineValue(line_.text, depth);
        advance();
        return value;
    }

    json sequence(std::size_t indentation, int depth) {
        auto items = json::array();
        while (!ended_ && line_.indentation == indentation && isItem(line_.text)) {
            count();
            const auto first = std::min(line_.text.find_first_not_of(' ', 1), line_.text.size());
            const auto content = line_.text.substr(first);
            if (startsComment(content)) {
                advance();
                items.push_back(nested(indentation + 1, depth));
                continue;
            }
            line_ = {line_.indentation + first, content};
            items.push_back(block(line_.indentation, depth + 1));
        }
        return items;
    }

    json mapping(std::size_t indentation, int depth) {
        auto object = json::object();
        while (!ended_ && line_.indentation == indentation && !isItem(line_.text)) {
            count();
            auto rest = line_.text;
            auto key = takeKey(rest);
            if (!key)
                fail("a key, as in \"key: value\"", "\"" + printable(line_.text, 40) + "\"");
            if (object.contains(*key))
                fail("every key once", "\"" + printable(*key) + "\" again");
            json value;
            if (startsComment(rest)) {
                advance();
                const bool isSequence = !ended_ && line_.indentation == indentation && isItem(line_.text);
                value = isSequence ? sequence(indentation, depth + 1) : nested(indentation + 1, depth);
            } else {
                value = inlineValue(rest, depth + 1);
                advance();
            }
            object[std::move(*key)] = std::move(value);
        }
        return object;
    }

    /// The value that begins in the current line if that is indented so far, else null.
    json nested(std::size_t least, int depth) {
        return ended_ || line_.indentation < least ? json() : block(line_.indentation, depth + 1);
    }

    /// Takes "key:" and the blanks behind it from `rest`; nothing if it has no key.
    std::optional<std::string> takeKey(std::string_view& rest) const {
        if (rest.starts_with("? ") || rest == "?")
            refuseBeyond("a complex key, \"?\"");
        std::string key;
        if (rest.starts_with('"') || rest.starts_with('\'')) {
            auto behind = rest;
            key = takeQuoted(behind);
            const auto colon = behind.find_first_not_of(' ');
            if (colon == behind.npos || behind[colon] != ':')
                return std::nullopt;
            rest = behind.substr(colon);
        } else {
            if (rest.starts_with('[') || rest.starts_with('{'))
                return std::nullopt;
            const auto end =
                rest.ends_with(':') && rest.find(": ") == rest.npos ? rest.size() - 1 : rest.find(": ");
            const auto comment = rest.find(" #");
            if (end == rest.npos || comment < end)
                return std::nullopt;
            refuseMarks(rest);
            key = withoutBlanksBehind(rest.substr(0, end));
            rest.remove_prefix(end);
        }
        rest.remove_prefix(1);
        if (!rest.empty() && rest.front() != ' ')
            fail("a blank behind the colon", "\"" + printable(rest, 40) + "\"");
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        return key;
    }

    void refuseMarks(std::string_view text) const {
        if (text.empty())
            return;
        const auto named = [&](const char* what) {
            refuseBeyond(std::string(what) + ", \"" + printable(text, 40) + "\"");
        };
        switch (text.front()) {
        case '&':
            named("an anchor");
            break;
        case '*':
            named("an alias");
            break;
        case '!':
            named("a tag");
            break;
        case '|':
        case '>':
            named("a block scalar");
            break;
        case '%':
        case '@':
        case '`':
            named("a reserved mark");
            break;
        default:
            break;
        }
    }

    /// A value that ends with its line.
    json inlineValue(std::string_view text, int depth) {
        auto rest = text;
        auto value = takeValue(rest, depth, /*isInFlow=*/false);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        if (!startsComment(rest))
            fail("the end of the line", "\"" + printable(rest, 40) + "\"");
        return value;
    }

    json takeValue(std::string_view& rest, int depth, bool isInFlow) {
        refuseDeeper(depth);
        count();
        if (rest.starts_with('"') || rest.starts_with('\''))
            return takeQuoted(rest);
        if (rest.starts_with('['))
            return takeFlowSequence(rest, depth);
        if (rest.starts_with('{'))
            return takeFlowMapping(rest, depth);
        return plainScalar(takePlain(rest, isInFlow));
    }

    std::string_view takePlain(std::string_view& rest, bool isInFlow) const {
        refuseMarks(rest);
        std::size_t end = 0;
        for (; end < rest.size(); ++end) {
            const bool isComment = rest[end] == '#' && end > 0 && rest[end - 1] == ' ';
            const auto endsKey = isInFlow ? " ,]}"sv : " "sv;
            const bool isColon = rest[end] == ':' && (end + 1 == rest.size() ||
                                                      endsKey.find(rest[end + 1]) != std::string_view::npos);
            if (isComment || (isInFlow && (",]}[{"sv.find(rest[end]) != std::string_view::npos || isColon)))
                break;
            if (isColon)
                fail("one key a line", "\"" + printable(rest, 40) + "\"");
        }
        const auto plain = withoutBlanksBehind(rest.substr(0, end));
        rest.remove_prefix(end);
        return plain;
    }

    static void skipBlanks(std::string_view& rest) {
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    }

    /// Takes what separates entries; true after the last one.
    bool takeEnd(std::string_view& rest, char closing) const {
        skipBlanks(rest);
        const char found = rest.empty() ? '\0' : rest.front();
        if (found != ',' && found != closing)
            fail(std::string("a comma or ") + closing + " in the same line",
                 rest.empty() ? "the end of the line" : "\"" + printable(rest, 40) + "\"");
        rest.remove_prefix(1);
        skipBlanks(rest);
        return found == closing;
    }

    json takeFlowSequence(std::string_view& rest, int depth) {
        auto items = json::array();
        rest.remove_prefix(1);
        skipBlanks(rest);
        bool isLast = rest.starts_with(']');
        if (isLast)
            rest.remove_prefix(1);
        while (!isLast) {
            items.push_back(takeValue(rest, depth + 1, /*isInFlow=*/true));
            isLast = takeEnd(rest, ']');
        }
        return items;
    }

    json takeFlowMapping(std::string_view& rest, int depth) {
        auto object = json::object();
        rest.remove_prefix(1);
        skipBlanks(rest);
        bool isLast = rest.starts_with('}');
        if (isLast)
            rest.remove_prefix(1);
        while (!isLast) {
            const bool isQuoted = rest.starts_with('"') || rest.starts_with('\'');
            auto key = isQuoted ? takeQuoted(rest) : std::string(takePlain(rest, /*isInFlow=*/true));
            skipBlanks(rest);
            if (!rest.starts_with(':'))
                fail("a colon behind the key", "\"" + printable(rest, 40) + "\"");
            rest.remove_prefix(1);
            skipBlanks(rest);
            if (object.contains(key))
                fail("every key once", "\"" + printable(key) + "\" again");
            object[std::move(key)] = takeValue(rest, depth + 1, /*isInFlow=*/true);
            isLast = takeEnd(rest, '}');
        }
        return object;
    }

    std::string takeQuoted(std::string_view& rest) const {
        const char quote = rest.front();
        rest.remove_prefix(1);
        std::string text;
        while (true) {
            const auto at = rest.find_first_of(quote == '"' ? "\"\\"sv : "'"sv);
            if (at == rest.npos)
                fail("the closing quotation mark in the same line", "\"" + printable(rest, 40) + "\"");
            text += rest.substr(0, at);
            const char found = rest[at];
            rest.remove_prefix(at + 1);
            if (found == '\\')
                addEscaped(text, rest);
            else if (quote == '\'' && rest.starts_with('\'')) {
                text += '\'';
                rest.remove_prefix(1);
            } else
                return text;
        }
    }

    void addEscaped(std::string& text, std::string_view& rest) const {
        static constexpr auto letters = "0abtnvfre \"/\\"sv;
        static constexpr auto meanings = "\0\a\b\t\n\v\f\r\x1b \"/\\"sv;
        const char letter = rest.empty() ? '\n' : rest.front();
        if (const auto at = letters.find(letter); at != letters.npos) {
            text += meanings[at];
            rest.remove_prefix(1);
            return;
        }
        const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
        std::uint32_t code = letter == 'N' ? 0x85 : letter == '_' ? 0xA0 : letter == 'L' ? 0x2028 : 0x2029;
        if (digits > 0) {
            const auto hexadecimal = rest.substr(1, digits);
            const char* const end = hexadecimal.data() + hexadecimal.size();
            const auto [at, error] = std::from_chars(hexadecimal.data(), end, code, 16);
            const bool isCharacter = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
            if (hexadecimal.size() != digits || error != std::errc() || at != end || !isCharacter)
                fail("a character by its number", "\"\\" + printable(rest.substr(0, digits + 1)) + "\"");
        } else if ("N_LP"sv.find(letter) == std::string_view::npos)
            fail("an escape of YAML", "\"\\" + printable(rest.substr(0, 1)) + "\"");
        addCharacter(text, code);
        rest.remove_prefix(digits + 1);
    }

    std::string_view rest_;
    const std::string& where_;
    const YamlLimits& limits_;
    Line line_;
    std::size_t number_ = 0;
    std::size_t values_ = 0;
    bool ended_ = false;
    bool hasContent_ = false;
};

} // namespace

json parseYaml(std::string_view text, const std::string& where, const YamlLimits& limits) {
    if (text.size() > limits.bytes || !isUtf8(text))
        throw trace::Refusal(
            {.what = "This YAML cannot be read",
             .where = where,
             .expected = "UTF-8 of at most " + std::to_string(limits.bytes) + " bytes",
             .found = text.size() > limits.bytes ? std::to_string(text.size()) + " bytes" : "other bytes",
             .wayOut = "correct the file, or write it as JSON"});
    return YamlReader(text, where, limits).document();
}

} // namespace headscope::files
