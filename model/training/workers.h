#pragma once

#include <ATen/Parallel.h>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headscope::training {

/// Thread pool in which the calling thread takes part. LibTorch uses a single thread in each: parts of a
/// batch computed in parallel synchronise once per step instead of once per operator.
class Workers {
  public:
    explicit Workers(int threads) {
        at::set_num_threads(1);
        for (int i = 1; i < threads; ++i)
            threads_.emplace_back(
                [this, i](std::stop_token stop) { serve(static_cast<std::size_t>(i), stop); });
    }
    ~Workers() {
        {
            const std::scoped_lock lock(mutex_);
            for (auto& thread : threads_)
                thread.request_stop();
        }
        begin_.notify_all();
    }

    /// Calls work(0) to work(parts - 1), each once, and waits for all. Rethrows the first exception.
    void run(std::size_t parts, const std::function<void(std::size_t)>& work) {
        {
            const std::scoped_lock lock(mutex_);
            work_ = &work;
            parts_ = parts;
            busy_ = threads_.size();
            failed_ = nullptr;
            ++round_;
        }
        begin_.notify_all();
        doParts(0, parts, work);
        std::unique_lock lock(mutex_);
        end_.wait(lock, [this] { return busy_ == 0; });
        if (failed_)
            std::rethrow_exception(failed_);
    }

  private:
    void doParts(std::size_t thread, std::size_t parts, const std::function<void(std::size_t)>& work) {
        try {
            for (std::size_t part = thread; part < parts; part += threads_.size() + 1)
                work(part);
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (!failed_)
                failed_ = std::current_exception();
        }
    }

    void serve(std::size_t thread, const std::stop_token& stop) {
        at::set_num_threads(1);
        std::uint64_t done = 0;
        while (true) {
            std::unique_lock lock(mutex_);
            begin_.wait(lock, [&] { return stop.stop_requested() || round_ != done; });
            if (stop.stop_requested())
                return;
            done = round_;
            const auto* work = work_;
            const auto parts = parts_;
            lock.unlock();
            doParts(thread, parts, *work);
            lock.lock();
            if (--busy_ == 0)
                end_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable begin_;
    std::condition_variable end_;
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::size_t parts_ = 0;
    std::size_t busy_ = 0;
    std::uint64_t round_ = 0;
    std::exception_ptr failed_;
    std::vector<std::jthread> threads_; ///< last member: threads end before the others are destroyed
};

} // namespace headscope::training
