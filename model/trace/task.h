#pragma once

#include "model/trace/refusal.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <utility>

namespace headscope::trace {

/// Between what takes long and who waits for it: it asks whether anybody still waits, and says how far it is.
/// A stop token alone stands for one who wants to hear nothing.
class Task {
  public:
    /// Called from the working thread, again and again, with a share from 0 to 1.
    using Tell = std::function<void(double share)>;

    Task(std::stop_token stop = {}, Tell tell = {}) : stop_(std::move(stop)), tell_(std::move(tell)) {}

    /// Called often enough: the pieces between take some milliseconds. Throws Cancelled.
    void report(double share) const {
        throwIfStopped(stop_);
        if (tell_)
            tell_(share);
    }
    /// The same after `done` of `all` like pieces.
    void report(std::size_t done, std::size_t all) const {
        report(static_cast<double>(done) / static_cast<double>(all));
    }

    /// What lies between two of its shares; its own run from 0 to 1.
    Task between(double first, double last) const {
        if (!tell_)
            return stop_;
        return {stop_, [tell = tell_, first, last](double share) { tell(first + (last - first) * share); }};
    }
    /// One of several like parts.
    Task part(std::size_t index, std::size_t count) const {
        const auto all = static_cast<double>(count);
        return between(static_cast<double>(index) / all, static_cast<double>(index + 1) / all);
    }

    const std::stop_token& stop() const { return stop_; }
    /// For what only asks.
    operator std::stop_token() const { return stop_; }

  private:
    std::stop_token stop_;
    Tell tell_;
};

} // namespace headscope::trace
