#pragma once

#include "model/trace/request.h"
#include "model/trace/task.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace headscope::app {

/// Paces progress messages: the first after 250 ms, then one per second.
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

/// Returns a task that tells on standard error how much of a long text is read.
trace::Task reading(std::stop_token stop, const trace::Source& source, const std::string& name);

} // namespace headscope::app
