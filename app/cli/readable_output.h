#pragma once

#include <memory>

namespace headscope::app {

/// While it is there, control characters that a model, a file name or a sentence brings into std::cout and
/// std::cerr are written as "\\x1b" where these are terminals, so that no file moves the cursor or renames
/// the window. Files and pipes get every byte.
class ReadableOnTerminals {
  public:
    ReadableOnTerminals();
    ReadableOnTerminals(const ReadableOnTerminals&) = delete;
    ReadableOnTerminals& operator=(const ReadableOnTerminals&) = delete;
    ~ReadableOnTerminals();

  private:
    class Escaped;
    std::unique_ptr<Escaped> out_;
    std::unique_ptr<Escaped> error_;
};

} // namespace headscope::app
