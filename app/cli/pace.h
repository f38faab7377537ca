#pragma once

#include <chrono>

namespace headscope::app {

/// When it is time to say how far long work is: soon after it began, and every second from then on.
class Pace {
  public:
    bool isDue() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_)
            return false;
        next_ = now + std::chrono::seconds(1);
        return true;
    }

  private:
    std::chrono::steady_clock::time_point next_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
};

} // namespace headscope::app
