#include "app/traces/floats_on_demand.h"

#include "model/files/file_descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace headscope::app {

namespace {

using files::FileDescriptor;

/// Size of a part: large compared with the cost of a page fault, small enough to be computed quickly.
constexpr std::size_t partBytes = std::size_t(1) << 18;

/// Handles faults in user mode only: handling faults of the kernel needs privileges.
FileDescriptor openFaults() {
    constexpr int flags = O_CLOEXEC | O_NONBLOCK;
    FileDescriptor faults(static_cast<int>(::syscall(SYS_userfaultfd, flags | UFFD_USER_MODE_ONLY)));
    uffdio_api api{.api = UFFD_API, .features = 0, .ioctls = 0};
    if (faults.isOpen() && ::ioctl(faults.get(), UFFDIO_API, &api) != 0)
        return {};
    return faults;
}

/// Unpopulated memory, and a thread that fills pages on access.
class Parts {
  public:
    Parts(std::size_t count, MakeFloats make, std::size_t mostBytes)
        : bytes_((count * sizeof(float) + partBytes - 1) / partBytes * partBytes), count_(count),
          mostParts_(std::max<std::size_t>(2, mostBytes / partBytes)), make_(std::move(make)),
          faults_(openFaults()), end_(::eventfd(0, EFD_CLOEXEC)) {
        if (!faults_.isOpen() || !end_.isOpen())
            return;
        void* memory = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return;
        memory_ = static_cast<std::byte*>(memory);
        if (::munlock(memory_, bytes_) != 0 || ::madvise(memory_, bytes_, MADV_DONTNEED) != 0)
            return; // in a process with locked memory (mlockall) the pages may already be populated
        ::madvise(memory_, bytes_, MADV_NOHUGEPAGE);
        ::madvise(memory_, bytes_, MADV_DONTFORK);
        uffdio_register wanted{};
        wanted.range = {.start = reinterpret_cast<std::uint64_t>(memory_), .len = bytes_};
        wanted.mode = UFFDIO_REGISTER_MODE_MISSING;
        if (::ioctl(faults_.get(), UFFDIO_REGISTER, &wanted) != 0)
            return;
        try {
            filler_ = std::thread([this] { fill(); });
        } catch (const std::system_error&) { // too many threads: treated as not supported
        }
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    /// The memory must not be accessed any more.
    ~Parts() {
        if (filler_.joinable()) {
            ::eventfd_write(end_.get(), 1);
            filler_.join();
        }
        if (memory_)
            ::munmap(memory_, bytes_);
    }

    const float* floats() const {
        return filler_.joinable() ? reinterpret_cast<const float*>(memory_) : nullptr;
    }

  private:
    void fill() {
        std::vector<float> made(partBytes / sizeof(float));
        std::array<pollfd, 2> waited{{{.fd = faults_.get(), .events = POLLIN, .revents = 0},
                                      {.fd = end_.get(), .events = POLLIN, .revents = 0}}};
        while (true) {
            if (::poll(waited.data(), waited.size(), -1) < 0)
                continue; // a thread may be waiting for a part, so never give up
            if (waited[1].revents != 0)
                return;
            uffd_msg message{};
            while (::read(faults_.get(), &message, sizeof message) == sizeof message)
                if (message.event == UFFD_EVENT_PAGEFAULT)
                    give(message.arg.pagefault.address, made);
        }
    }

    /// Fills the part around an address and wakes the threads waiting for it.
    void give(std::uint64_t address, std::vector<float>& made) {
        const auto begin = reinterpret_cast<std::uint64_t>(memory_);
        const std::uint64_t part = (address - begin) / partBytes;
        const std::size_t first = part * made.size();
        std::ranges::fill(made, 0.0F); // beyond the end
        if (first < count_)
            make_(first, std::span(made).first(std::min(made.size(), count_ - first)));
        if (given_.size() >= mostParts_) {
            ::madvise(memory_ + given_.front() * partBytes, partBytes, MADV_DONTNEED);
            given_.pop_front();
        }
        uffdio_copy copy{.dst = begin + part * partBytes,
                         .src = reinterpret_cast<std::uint64_t>(made.data()),
                         .len = partBytes,
                         .mode = 0,
                         .copy = 0};
        while (::ioctl(faults_.get(), UFFDIO_COPY, &copy) != 0) {
            if (errno == ENOMEM && !given_.empty()) { // drop the oldest part, as above
                ::madvise(memory_ + given_.front() * partBytes, partBytes, MADV_DONTNEED);
                given_.pop_front();
                continue;
            }
            if (errno != EAGAIN) { // already filled: two threads accessed it at the same time
                uffdio_range there{.start = begin + part * partBytes, .len = partBytes};
                ::ioctl(faults_.get(), UFFDIO_WAKE, &there);
                return;
            }
            const auto done = static_cast<std::uint64_t>(std::max<std::int64_t>(0, copy.copy));
            copy.dst += done;
            copy.src += done;
            copy.len -= done;
        }
        given_.push_back(part);
    }

    std::size_t bytes_;
    std::size_t count_;
    std::size_t mostParts_;
    MakeFloats make_;
    FileDescriptor faults_;
    FileDescriptor end_;
    std::byte* memory_ = nullptr;
    std::deque<std::uint64_t> given_; ///< filled parts, oldest first
    std::thread filler_;
};

} // namespace

std::shared_ptr<const float> floatsOnDemand(std::size_t count, MakeFloats make, std::size_t mostBytes) {
    const auto parts = std::make_shared<Parts>(count, std::move(make), mostBytes);
    if (!parts->floats())
        return nullptr;
    return {parts, parts->floats()};
}

} // namespace headscope::app
