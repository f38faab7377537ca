#pragma once

#include "model/files/file_descriptor.h"

#include <optional>
#include <stop_token>
#include <string>

namespace headscope::app {

/// The lines of a file or of standard input, without their ends (LF or CRLF). Unlike a stream it stops
/// waiting for input that does not come.
class LineReader {
  public:
    /// Nothing or "-" is standard input. Throws trace::Refusal if the file cannot be opened.
    LineReader(const std::string& path, std::stop_token stop);

    /// Nothing at the end. Throws trace::Cancelled, or trace::Refusal if reading fails.
    std::optional<std::string> next();

  private:
    void waitForInput() const;
    void fill();
    [[noreturn]] void refuse() const;

    std::string where_;
    std::stop_token stop_;
    files::FileDescriptor file_; ///< none: standard input
    std::string buffer_;
    std::size_t begin_ = 0; ///< of what was not handed out yet
    bool ended_ = false;
};

} // namespace headscope::app
