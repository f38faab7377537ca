#pragma once

#include "model/files/file_descriptor.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// Reads the lines of a file or of standard input, without line ends (LF or CRLF). Unlike a stream, it can be
/// stopped while it waits for input.
class LineReader {
  public:
    /// An empty path or "-" is standard input. Throws trace::Refusal if the file cannot be opened.
    LineReader(const std::string& path, std::stop_token stop);

    /// Returns an empty value at the end. Throws trace::Cancelled, or trace::Refusal if reading fails.
    std::optional<std::string> next();

  private:
    void waitForInput() const;
    void fill();
    [[noreturn]] void refuse() const;

    std::string where_;
    std::stop_token stop_;
    files::FileDescriptor file_; ///< closed for standard input
    std::string buffer_;
    std::size_t begin_ = 0; ///< start of the unread part of buffer_
    bool ended_ = false;
};

/// Calls `read` with each text and its number, from 1 on; without texts, or with "-" alone, with the lines of
/// standard input.
void forEachText(const std::vector<std::string>& texts, const std::stop_token& stop,
                 const std::function<void(const std::string&, std::size_t)>& read);

} // namespace headscope::app
