#pragma once

#include <exception>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace headscope::trace {

/// The parts of an explanation that a person can act on. Empty parts are left out of the paragraph.
struct RefusalText {
    std::string what;     ///< what could not be done, as a sentence without its full stop
    std::string where;    ///< file, tensor, byte, option: the place it happened
    std::string expected; ///< what would have been accepted
    std::string found;    ///< what was there instead; several mismatches are listed at once
    std::string wayOut;   ///< what the person can do about it
    std::string details;  ///< a library's own words; shown on request only
};

/// Input that was refused, or work that could not be done. The one exception type of `model/`; it is caught
/// only in the run queue and in the command line. what() is the paragraph without the details.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(RefusalText text);

    const RefusalText& text() const { return text_; }

  private:
    RefusalText text_;
};

/// "what. Where: ... Expected: ... Found: ... What to do: ..." in one paragraph.
std::string paragraph(const RefusalText& text);

/// Thrown out of long work whose stop token was triggered. No error: nobody needs an explanation.
class Cancelled : public std::exception {
  public:
    const char* what() const noexcept override;
};

/// Called often enough in long work: its pieces take some milliseconds.
inline void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

} // namespace headscope::trace
