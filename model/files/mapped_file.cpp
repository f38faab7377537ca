#include "model/files/mapped_file.h"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace headscope::files {

namespace {

/// A mapped part of a file, as the signal handler sees it: memory from `begin` to `end` (0: no file).
struct MappedPart {
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> cutOff = false;
    std::string path; ///< not for the handler
};

std::mutex changing;
std::array<MappedPart, 256> parts; ///< further ones are not protected
struct sigaction handlerBefore {};

/// The system sends SIGBUS on access to a part of a mapped file that no longer exists.
void provideZeros(int signal, siginfo_t* info, void* context) {
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (auto& part : parts)
        if (at >= part.begin && at < part.end) {
            const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
            void* const memory = reinterpret_cast<void*>(at / page * page);
            if (mmap(memory, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
                part.cutOff = true;
                return;
            }
        }
    if (handlerBefore.sa_flags & SA_SIGINFO && handlerBefore.sa_sigaction)
        return handlerBefore.sa_sigaction(signal, info, context);
    sigaction(signal, &handlerBefore,
              nullptr); // on return, the access is tried again, which ends the program
}

void installHandler() {
    static const bool installed = [] {
        struct sigaction handler {};
        handler.sa_sigaction = provideZeros;
        handler.sa_flags = SA_SIGINFO;
        return sigaction(SIGBUS, &handler, &handlerBefore) == 0;
    }();
    static_cast<void>(installed);
}

MappedPart* protect(const std::byte* first, std::uint64_t size, const std::filesystem::path& path) {
    const std::scoped_lock lock(changing);
    installHandler();
    for (auto& part : parts)
        if (part.end == 0) {
            part.path = path.string();
            part.cutOff = false;
            part.begin = reinterpret_cast<std::uintptr_t>(first);
            part.end = part.begin + size;
            return &part;
        }
    return nullptr;
}

void release(MappedPart* part) {
    const std::scoped_lock lock(changing);
    if (part)
        part->end = 0;
}

} // namespace

FileBytes mapped(const OpenFile& file, std::uint64_t begin, std::uint64_t size,
                 const std::filesystem::path& path) {
    if (size == 0)
        return {};
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto start = begin / page * page;
    const std::size_t length = begin + size - start;
    void* const memory =
        mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.descriptor.get(), static_cast<off_t>(start));
    if (memory == MAP_FAILED)
        throw systemRefusal("The file could not be read", path);
    auto* const first = static_cast<std::byte*>(memory);
    auto* const part = protect(first, length, path);
    return {std::shared_ptr<std::byte[]>(first + (begin - start),
                                         [memory, length, part](std::byte*) {
                                             release(part);
                                             munmap(memory, length);
                                         }),
            size};
}

void refuseFilesThatWereCutOff() {
    const std::scoped_lock lock(changing);
    for (const auto& part : parts)
        if (part.end != 0 && part.cutOff)
            throw trace::Refusal({.what = "The file was cut off while it was in use",
                                  .where = part.path,
                                  .expected = "a file that stays as it was when it was opened",
                                  .found = "a shorter one",
                                  .wayOut = "get the whole file again, and open it again"});
}

} // namespace headscope::files
