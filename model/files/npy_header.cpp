#include "model/files/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/files/findings.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

constexpr std::array<std::string_view, 10> numpyTypes = {"|b1", "|u1", "|i1", "<i2", "<i4",
                                                         "<i8", "<f2", "",    "<f4", "<f8"};

/// Parses the few Python literals that occur in such a header.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const std::string& where) : rest_(text), where_(where) {}

    NpyHeader parse() {
        expect('{');
        while (!accept('}')) {
            member(string());
            if (!accept(',') && (skipSpaces(), !rest_.starts_with('}')))
                fail("a comma or }");
        }
        skipSpaces();
        if (!rest_.empty() || seen_ != 7)
            fail("descr, fortran_order and shape, and nothing else");
        return header_;
    }

  private:
    enum Member { Descr = 1, FortranOrder = 2, Shape = 4 };

    [[noreturn]] void fail(const std::string& expected) const {
        refuseNpy(where_ + ", header", expected, "\"" + printable(std::string(rest_), 60) + "\"");
    }

    void skipSpaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

    bool accept(char character) {
        skipSpaces();
        if (!rest_.starts_with(character))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char character) {
        if (!accept(character))
            fail(std::string(1, character));
    }

    bool acceptWord(std::string_view word) {
        skipSpaces();
        if (!rest_.starts_with(word))
            return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::string_view string() {
        const char quote = accept('"') ? '"' : '\'';
        if (quote == '\'')
            expect('\'');
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos)
            fail("a closing quote");
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }

    void member(std::string_view key) {
        expect(':');
        const Member which = key == "descr" ? Descr : key == "fortran_order" ? FortranOrder : Shape;
        if ((which == Shape && key != "shape") || (seen_ & which))
            fail("descr, fortran_order and shape once each, not " + printable(std::string(key)));
        seen_ |= which;
        if (which == Descr)
            header_.type = type();
        else if (which == FortranOrder)
            header_.columnMajor = boolean();
        else
            header_.shape = shape();
    }

    ElementType type() {
        skipSpaces();
        if (rest_.starts_with('['))
            refuseNpy(where_, "one number an element", "a structured array");
        const std::string_view name = string();
        if (name.starts_with("<U")) {
            const auto [end, error] =
                std::from_chars(name.data() + 2, name.data() + name.size(), header_.characters);
            if (error == std::errc() && end == name.data() + name.size() && header_.characters > 0)
                return ElementType::Float32; // which strings do not have
        }
        std::string wanted(name);
        if (!wanted.empty() && (wanted[0] == '=' || wanted[0] == '<' || wanted[0] == '|'))
            wanted[0] = wanted.ends_with('1') ? '|' : '<';
        else if (name.starts_with('>') && name.ends_with('1'))
            wanted[0] = '|'; // one byte has no order
        const auto found = std::ranges::find(numpyTypes, wanted);
        if (found == numpyTypes.end() || found->empty())
            refuseNpy(where_, "little-endian bool, integers or floating point numbers",
                      "elements of type " + printable(std::string(name), 40) +
                          (name.starts_with('>') ? " (big-endian)" : ""));
        return static_cast<ElementType>(found - numpyTypes.begin());
    }

    bool boolean() {
        const bool value = acceptWord("True");
        if (!value && !acceptWord("False"))
            fail("True or False");
        return value;
    }

    std::vector<std::int64_t> shape() {
        std::vector<std::int64_t> sizes;
        expect('(');
        while (!accept(')')) {
            if (sizes.size() == maximumRank)
                fail("at most " + std::to_string(maximumRank) + " dimensions");
            sizes.push_back(size());
            skipSpaces();
            if (!accept(',') && !rest_.starts_with(')'))
                fail("a comma or )");
        }
        return sizes;
    }

    std::int64_t size() {
        skipSpaces();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc() || value < 0)
            fail("a size");
        rest_.remove_prefix(end - rest_.data());
        acceptWord("L"); // suffix of long integers in Python 2
        return value;
    }

    std::string_view rest_;
    const std::string& where_;
    NpyHeader header_;
    int seen_ = 0;
};

} // namespace

void refuseNpy(const std::string& where, const std::string& expected, const std::string& found) {
    throw trace::Refusal({.what = "The NumPy array was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "Save it again: numpy.save(file, array.astype('float32'))."});
}

std::string_view npyName(ElementType type) {
    return numpyTypes[static_cast<std::size_t>(type)];
}

NpyHeader parseNpyHeader(std::string_view text, const std::string& where) {
    return HeaderParser(text, where).parse();
}

} // namespace headscope::files
