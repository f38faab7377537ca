#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headscope::network {

/// Thread pool in which the calling thread takes part. Each thread begins with a share of neighbouring parts,
/// which lie one behind the other in memory, and then claims what is left of the others' shares, so that a
/// thread that the system runs late delays nobody. For a moment after each round they wait without sleeping,
/// because the products of a decoding step follow each other within microseconds.
class Workers {
  public:
    explicit Workers(int threads) { setThreads(threads); }
    ~Workers() { setThreads(1); }

    /// The caller included.
    int threads() const { return count_; }
    /// Waits for a round in progress.
    void setThreads(int threads);

    /// Calls work(0) to work(parts - 1), each once, and waits for all. Rethrows the first exception. If the
    /// pool is in use, the caller computes alone.
    void run(std::size_t parts, const std::function<void(std::size_t)>& work);

    /// The pool of all matrix products outside training, at first of one thread.
    static Workers& ofProducts();

  private:
    static constexpr std::uint64_t closed = 0;

    /// Parts that one thread begins with; those from `next` on are not claimed yet.
    struct alignas(64) Share {
        std::atomic<std::size_t> next = 0;
        std::size_t end = 0;
    };

    /// `thread` counts from 0, the caller.
    void doParts(std::size_t thread);
    void serve(const std::stop_token& stop, std::size_t thread);

    std::mutex inUse_;
    std::atomic<std::uint64_t> open_ = closed; ///< number of the round in progress
    std::atomic<std::uint64_t> bell_ = 0;      ///< changes with each new round, and at the end
    std::atomic<int> inside_ = 0;              ///< threads other than the caller that may work on the round
    std::uint64_t rounds_ = 0;

    // The round in progress. A thread reads this only after it raised `inside_` and found the round open.
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::vector<Share> shares_; ///< one a thread
    std::mutex failing_;
    std::exception_ptr failed_;

    std::atomic<int> count_ = 1;
    std::vector<std::jthread> threads_; ///< guarded by `inUse_`
};

} // namespace headscope::network
