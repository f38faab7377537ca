// Preloaded into a program: lets the n-th call of one kind fail that concerns a file it writes. The
// environment says which: HEADSCOPE_FAIL_CALL (open, write, fsync, close, rename), HEADSCOPE_FAIL_AT (from
// 1), HEADSCOPE_FAIL_ERRNO.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// Whether this call of the kind is the one that fails.
bool fails(const char* call) {
    static const char* const kind = std::getenv("HEADSCOPE_FAIL_CALL");
    static long left = [] {
        const char* at = std::getenv("HEADSCOPE_FAIL_AT");
        return at ? std::atol(at) : 0;
    }();
    if (!kind || std::strcmp(kind, call) != 0 || --left != 0)
        return false;
    const char* number = std::getenv("HEADSCOPE_FAIL_ERRNO");
    errno = number ? std::atoi(number) : EIO;
    return true;
}

bool isRegular(int file) {
    struct stat status {};
    return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

} // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
    va_end(list);
    const bool writes = (flags & (O_WRONLY | O_RDWR)) != 0 && std::strncmp(path, "/dev/", 5) != 0;
    if (writes && fails("open"))
        return -1;
    return next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open(path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t count) {
    if (isRegular(file) && fails("write"))
        return -1;
    return next<ssize_t (*)(int, const void*, size_t)>("write")(file, bytes, count);
}

int fsync(int file) {
    if (fails("fsync"))
        return -1;
    return next<int (*)(int)>("fsync")(file);
}

int close(int file) {
    static const auto flags = [](int f) { return ::fcntl(f, F_GETFL); };
    const bool writes = isRegular(file) && (flags(file) & (O_WRONLY | O_RDWR)) != 0;
    const auto real = next<int (*)(int)>("close");
    if (writes && fails("close")) {
        const int error = errno;
        real(file);
        errno = error;
        return -1;
    }
    return real(file);
}

int rename(const char* from, const char* to) {
    if (fails("rename"))
        return -1;
    return next<int (*)(const char*, const char*)>("rename")(from, to);
}

int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) {
    if (fails("link"))
        return -1;
    return next<int (*)(int, const char*, int, const char*, int)>("linkat")(fromFolder, from, toFolder, to,
                                                                            flags);
}

} // extern "C"
