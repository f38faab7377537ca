#include "model/files/limited_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/files/findings.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using nlohmann::json;

constexpr const char* correctIt = "Correct the text there, or fetch the file again from where it came from.";

/// Iterates over a text and records how far the parser has read, which its events do not report.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        *reached_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

  private:
    const char* at_;
    const char** reached_;
};

/// Builds the document event by event and throws as soon as a limit is exceeded.
class LimitedBuilder : public nlohmann::json_sax<json> {
  public:
    LimitedBuilder(std::string_view text, const std::string& where, const JsonLimits& limits)
        : text_(text), where_(where), limits_(limits), reached_(text.data()) {}

    json build() {
        const char* end = text_.data() + text_.size();
        json::sax_parse(CountingIterator(text_.data(), &reached_), CountingIterator(end, &reached_), this);
        return std::move(root_);
    }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(json::number_integer_t value) override { return add(value); }
    bool number_unsigned(json::number_unsigned_t value) override { return add(value); }
    bool number_float(json::number_float_t value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(json::binary_t&) override { return false; } // not in JSON text
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(std::string& key) override {
        json& object = *open_.back();
        if (object.contains(key))
            refuse("every key once", "the key \"" + printable(key) + "\" twice");
        member_ = &object[key];
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
        std::string_view found = error.what(); // "[json.exception.parse_error.101] parse error at ..."
        found.remove_prefix(std::min(found.find("] ") + 2, found.size()));
        throw trace::Refusal({.what = "The JSON text could not be read",
                              .where = where_ + ", byte " + std::to_string(reached_ - text_.data()),
                              .expected = "JSON in UTF-8",
                              .found = printable(found, 400),
                              .wayOut = correctIt});
    }

  private:
    [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
        throw trace::Refusal({.what = "The JSON text was refused",
                              .where = where_ + ", byte " + std::to_string(reached_ - text_.data()),
                              .expected = expected,
                              .found = found,
                              .wayOut = correctIt});
    }

    /// Inserts a value at the current position and returns its address. The address stays valid while the
    /// value is open, since an array grows only when its last element is complete.
    json* place(json value) {
        if (++values_ > limits_.values)
            refuse("at most " + std::to_string(limits_.values) + " values", "more");
        if (open_.empty())
            return &(root_ = std::move(value));
        if (open_.back()->is_array()) {
            open_.back()->push_back(std::move(value));
            return &open_.back()->back();
        }
        return &(*member_ = std::move(value));
    }

    bool add(json value) {
        place(std::move(value));
        return true;
    }

    bool open(json container) {
        if (std::cmp_equal(open_.size(), limits_.depth))
            refuse("at most " + std::to_string(limits_.depth) + " levels", "a deeper one");
        open_.push_back(place(std::move(container)));
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    const std::string& where_;
    const JsonLimits& limits_;
    const char* reached_;
    json root_;
    std::vector<json*> open_;
    json* member_ = nullptr;
    std::size_t values_ = 0;
};

} // namespace

json parseJson(std::string_view text, const std::string& where, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        throw trace::Refusal({.what = "The JSON text is too long",
                              .where = where,
                              .expected = "at most " + std::to_string(limits.bytes) + " bytes",
                              .found = std::to_string(text.size()) + " bytes",
                              .wayOut = correctIt});
    // The parser takes a zero byte for the end of the text and would ignore anything after it.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        throw trace::Refusal({.what = "The JSON text could not be read",
                              .where = where + ", byte " + std::to_string(zero),
                              .expected = "JSON in UTF-8",
                              .found = "a zero byte",
                              .wayOut = correctIt});
    return LimitedBuilder(text, where, limits).build();
}

} // namespace headscope::files
