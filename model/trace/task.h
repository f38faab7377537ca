#pragma once

#include "model/trace/refusal.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <utility>

namespace headscope::trace {

/// Stop token and progress of a long operation. Converts from a stop token alone if no progress is wanted.
class Task {
  public:
    /// Called repeatedly from the working thread, with a share from 0 to 1.
    using Tell = std::function<void(double share)>;

    Task(std::stop_token stop = {}, Tell tell = {}) : stop_(std::move(stop)), tell_(std::move(tell)) {}

    /// Reports progress. To be called every few milliseconds. Throws Cancelled if stop was requested.
    void report(double share) const {
        throwIfStopped(stop_);
        if (tell_)
            tell_(share);
    }
    /// Same, after `done` of `all` equal parts.
    void report(std::size_t done, std::size_t all) const {
        report(static_cast<double>(done) / static_cast<double>(all));
    }

    /// Returns a task for a part of this one, whose shares from 0 to 1 map to `first` to `last`.
    Task between(double first, double last) const {
        if (!tell_)
            return stop_;
        return {stop_, [tell = tell_, first, last](double share) { tell(first + (last - first) * share); }};
    }
    /// Returns the task of one of `count` equal parts.
    Task part(std::size_t index, std::size_t count) const {
        const auto all = static_cast<double>(count);
        return between(static_cast<double>(index) / all, static_cast<double>(index + 1) / all);
    }

    const std::stop_token& stop() const { return stop_; }
    /// For functions that only need the stop token.
    operator std::stop_token() const { return stop_; }

  private:
    std::stop_token stop_;
    Tell tell_;
};

} // namespace headscope::trace
