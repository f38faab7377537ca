#pragma once

#include <exception>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace headscope::trace {

/// Parts of an error message. Empty parts are omitted from paragraph().
struct RefusalText {
    std::string what;  ///< what happened, as a sentence without its full stop
    std::string where; ///< location: file, tensor, byte or option
    std::string expected;
    std::string found;   ///< actual values; several mismatches are listed together
    std::string wayOut;  ///< what the user can do
    std::string details; ///< message of a library; shown on request only
};

/// Rejected input, or work that could not be done. The only exception type of `model/` for errors; caught
/// only in the run queue and in the command line. what() is the paragraph without the details.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(RefusalText text);

    const RefusalText& text() const { return text_; }

  private:
    RefusalText text_;
};

/// Returns "what. Where: ... Expected: ... Found: ... What to do: ..." as one paragraph.
std::string paragraph(const RefusalText& text);

/// Thrown by long work when its stop token is triggered. Not an error; needs no message.
class Cancelled : public std::exception {
  public:
    const char* what() const noexcept override;
};

/// To be called every few milliseconds in long work.
inline void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

} // namespace headscope::trace
