#include "app/cli/readable_output.h"

#include "model/files/utf8.h"

#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>

#include <unistd.h>

namespace headscope::app {

/// Passes on whole texts, so that a control character of two bytes is not split.
class ReadableOnTerminals::Escaped : public std::streambuf {
  public:
    explicit Escaped(std::ostream& stream) : stream_(stream), real_(stream.rdbuf(this)) {}
    ~Escaped() override {
        Escaped::sync();
        stream_.rdbuf(real_);
    }

  protected:
    int_type overflow(int_type character) override {
        if (!traits_type::eq_int_type(character, traits_type::eof())) {
            waiting_ += traits_type::to_char_type(character);
            if (waiting_.back() == '\n')
                return hand() ? character : traits_type::eof();
        }
        return traits_type::not_eof(character);
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        waiting_.append(text, count);
        return waiting_.size() < most || hand() ? count : 0;
    }
    int sync() override { return hand() && real_->pubsync() == 0 ? 0 : -1; }

  private:
    static constexpr std::size_t most = 1 << 16;

    bool hand() {
        const auto text = files::withoutControls(waiting_);
        waiting_.clear();
        return real_->sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
               static_cast<std::streamsize>(text.size());
    }

    std::ostream& stream_;
    std::streambuf* real_;
    std::string waiting_;
};

ReadableOnTerminals::ReadableOnTerminals() {
    if (::isatty(STDOUT_FILENO) != 0)
        out_ = std::make_unique<Escaped>(std::cout);
    if (::isatty(STDERR_FILENO) != 0)
        error_ = std::make_unique<Escaped>(std::cerr);
}

ReadableOnTerminals::~ReadableOnTerminals() = default;

} // namespace headscope::app
