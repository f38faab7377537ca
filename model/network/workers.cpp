#include "model/network/workers.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>

namespace headscope::network {

namespace {

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

Workers& Workers::ofProducts() {
    static Workers pool(1);
    return pool;
}

void Workers::setThreads(int threads) {
    const std::scoped_lock lock(inUse_);
    for (auto& thread : threads_)
        thread.request_stop();
    ++bell_;
    bell_.notify_all();
    threads_.clear(); // waits for them
    count_ = std::max(1, threads);
    shares_ = std::vector<Share>(count_);
    for (std::size_t thread = 1; thread < shares_.size(); ++thread)
        threads_.emplace_back([this, thread](std::stop_token stop) { serve(stop, thread); });
}

void Workers::run(std::size_t parts, const std::function<void(std::size_t)>& work) {
    const std::unique_lock lock(inUse_, std::try_to_lock);
    if (!lock || threads_.empty() || parts < 2) {
        for (std::size_t part = 0; part < parts; ++part)
            work(part);
        return;
    }
    work_ = &work;
    for (std::size_t thread = 0; thread < shares_.size(); ++thread) {
        shares_[thread].next = thread * parts / shares_.size();
        shares_[thread].end = (thread + 1) * parts / shares_.size();
    }
    failed_ = nullptr;
    open_ = ++rounds_;
    ++bell_;
    bell_.notify_all();
    doParts(0);
    open_ = closed;
    while (inside_ > 0)
        pause();
    if (failed_)
        std::rethrow_exception(failed_);
}

void Workers::doParts(std::size_t thread) {
    try {
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            auto& share = shares_[(thread + i) % shares_.size()];
            for (auto part = share.next++; part < share.end; part = share.next++)
                (*work_)(part);
        }
    } catch (...) {
        const std::scoped_lock lock(failing_);
        if (!failed_)
            failed_ = std::current_exception();
    }
}

void Workers::serve(const std::stop_token& stop, std::size_t thread) {
    using Clock = std::chrono::steady_clock;
    constexpr auto awake = std::chrono::microseconds(200);
    constexpr int pausesPerLook = 64;
    at::set_num_threads(1);
    for (std::uint64_t heard = bell_; !stop.stop_requested();) {
        const auto since = Clock::now();
        while (bell_ == heard && Clock::now() - since < awake) {
            for (int i = 0; i < pausesPerLook && bell_.load(std::memory_order_relaxed) == heard; ++i)
                pause();
            std::this_thread::yield();
        }
        bell_.wait(heard);
        heard = bell_;
        const auto round = open_.load();
        if (round == closed)
            continue;
        ++inside_;
        if (open_ == round) // still: the caller waits for this thread before the next round
            doParts(thread);
        --inside_;
    }
}

} // namespace headscope::network
