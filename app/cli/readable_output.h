#pragma once

#include <memory>

namespace headscope::app {

/// While this object exists, control characters in std::cout and std::cerr are escaped as in "\x1b" if they
/// are terminals, so that no model, file name or sentence can move the cursor or rename the window. Files and
/// pipes receive the original bytes.
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
