#include "model/files/file_descriptor.h"

#include <algorithm>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope::files {

namespace {

const char* wayOutOf(int error) {
    switch (error) {
    case ENOENT:
        return "Check the spelling of the path.";
    case EACCES:
    case EPERM:
        return "Check the permissions of the file and of its folders.";
    case EISDIR:
        return "Give the name of a file in it.";
    case ELOOP:
        return "Repair the symbolic links on the way.";
    default:
        return "Try again; if it stays, copy the file to another disk.";
    }
}

const char* kindOf(mode_t mode) {
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

} // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = other.release();
    }
    return *this;
}

int FileDescriptor::close() {
    if (!isOpen())
        return 0;
    return ::close(release()) == 0 ? 0 : errno;
}

trace::Refusal systemRefusal(const std::string& what, const std::filesystem::path& path, int error) {
    return trace::Refusal({.what = what,
                           .where = path.string(),
                           .expected = "a file that can be read",
                           .found = std::generic_category().message(error),
                           .wayOut = wayOutOf(error)});
}

OpenFile openForReading(const std::filesystem::path& path, FileRole role) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!descriptor.isOpen() || ::fstat(descriptor.get(), &status) != 0)
        throw systemRefusal("The file could not be opened", path);
    if (!S_ISREG(status.st_mode))
        throw trace::Refusal({.what = "The file could not be opened",
                              .where = path.string(),
                              .expected = "a regular file",
                              .found = kindOf(status.st_mode),
                              .wayOut = "Give the path of a file with content."});
    rememberRead(descriptor.get(), role);
    return {std::move(descriptor), static_cast<std::uint64_t>(status.st_size)};
}

void readExactly(const FileDescriptor& descriptor, std::span<std::byte> destination,
                 const std::filesystem::path& path, const std::stop_token& stop) {
    constexpr std::size_t atOnce = std::size_t{8} << 20;
    while (!destination.empty()) {
        trace::throwIfStopped(stop);
        const ssize_t got =
            ::read(descriptor.get(), destination.data(), std::min(destination.size(), atOnce));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw systemRefusal("The file could not be read", path);
        if (got == 0)
            throw trace::Refusal({.what = "The file became shorter while it was read",
                                  .where = path.string(),
                                  .expected = std::to_string(destination.size()) + " more bytes",
                                  .found = "the end of the file",
                                  .wayOut = "Wait until nothing writes to it, then open it again."});
        destination = destination.subspan(got);
    }
}

} // namespace headscope::files
