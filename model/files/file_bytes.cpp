#include "model/files/file_bytes.h"

#include <new>

#include <sys/mman.h>

namespace headscope::files {

namespace {

constexpr std::size_t hugePage = std::size_t{1} << 21;

std::shared_ptr<std::byte[]> inHugePages(std::size_t size) {
    constexpr std::align_val_t aligned{hugePage};
    std::shared_ptr<std::byte[]> bytes(static_cast<std::byte*>(::operator new[](size, aligned)),
                                       [](std::byte* first) { ::operator delete[](first, aligned); });
    // The last page is left out unless it is filled. That the system may refuse makes no difference.
    static_cast<void>(::madvise(bytes.get(), size / hugePage * hugePage, MADV_HUGEPAGE));
    return bytes;
}

} // namespace

FileBytes::FileBytes(std::size_t size)
    : bytes_(size >= hugePage ? inHugePages(size) : std::make_shared_for_overwrite<std::byte[]>(size)),
      size_(size) {}

} // namespace headscope::files
