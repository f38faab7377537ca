#include "app/cli/line_reader.h"

#include "model/trace/refusal.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/poll.h>
#include <unistd.h>

namespace headscope::app {

namespace {

constexpr int stopInterval = 50; // milliseconds
constexpr std::size_t longestLine = std::size_t{16} << 20;

} // namespace

LineReader::LineReader(const std::string& path, std::stop_token stop) : stop_(std::move(stop)) {
    const bool isFile = !path.empty() && path != "-";
    where_ = isFile ? path : "standard input";
    if (!isFile)
        return;
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    file_ = files::FileDescriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!file_.isOpen())
        refuse();
    files::rememberRead(file_.get(), files::FileRole::Input);
}

std::optional<std::string> LineReader::next() {
    while (true) {
        if (stop_.stop_requested())
            throw trace::Cancelled();
        const auto end = buffer_.find('\n', begin_);
        if (end == buffer_.npos && !ended_) {
            if (buffer_.size() - begin_ > longestLine)
                throw trace::Refusal({.what = "A line of the input is too long",
                                      .where = where_,
                                      .expected = "one sentence per line, of at most 16 MB each",
                                      .found = "more than that without the end of a line",
                                      .wayOut = "give a text file"});
            fill();
            continue;
        }
        if (end == buffer_.npos && begin_ == buffer_.size())
            return std::nullopt;
        std::string line = buffer_.substr(begin_, end == buffer_.npos ? end : end - begin_);
        begin_ = end == buffer_.npos ? buffer_.size() : end + 1;
        if (line.ends_with('\r'))
            line.pop_back();
        return line;
    }
}

void LineReader::waitForInput() const {
    pollfd input{.fd = file_.isOpen() ? file_.get() : STDIN_FILENO, .events = POLLIN};
    while (::poll(&input, 1, stopInterval) <= 0)
        if (stop_.stop_requested())
            throw trace::Cancelled();
}

void LineReader::fill() {
    constexpr std::size_t atOnce = 1 << 16;
    buffer_.erase(0, begin_);
    begin_ = 0;
    waitForInput();
    const auto old = buffer_.size();
    buffer_.resize(old + atOnce);
    const auto got = ::read(file_.isOpen() ? file_.get() : STDIN_FILENO, buffer_.data() + old, atOnce);
    const int error = errno;
    buffer_.resize(old + (got > 0 ? got : 0));
    ended_ = got == 0;
    errno = error;
    if (got < 0 && error != EINTR && error != EAGAIN)
        refuse();
}

void LineReader::refuse() const {
    throw trace::Refusal({.what = "The input cannot be read",
                          .where = where_,
                          .expected = "a text file with one sentence per line",
                          .found = std::strerror(errno),
                          .wayOut = "check the path"});
}

void forEachText(const std::vector<std::string>& texts, const std::stop_token& stop,
                 const std::function<void(const std::string&, std::size_t)>& read) {
    if (!texts.empty() && texts != std::vector<std::string>{"-"}) {
        for (std::size_t i = 0; i < texts.size(); ++i)
            read(texts[i], i + 1);
        return;
    }
    LineReader lines("-", stop);
    for (std::size_t number = 1; const auto line = lines.next(); ++number)
        read(*line, number);
}

} // namespace headscope::app
