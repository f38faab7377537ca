#include "model/files/gzip.h"

#include "model/files/file_descriptor.h"
#include "model/trace/refusal.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include <fcntl.h>
#include <zlib.h>

namespace headscope::files {

namespace {

[[noreturn]] void
refuseGzip(const std::string& path, const std::string& expected, const std::string& found,
           const std::string& wayOut = "check the path, or unpack the file with gunzip and give that") {
    throw trace::Refusal({.what = "The file cannot be read",
                          .where = path,
                          .expected = expected,
                          .found = found,
                          .wayOut = wayOut});
}

} // namespace

std::string readPlainOrGzip(const std::string& path, std::uint64_t most) {
    FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor.isOpen())
        refuseGzip(path, "a text file, plain or gzip", std::strerror(errno));
    rememberRead(descriptor.get(), FileRole::Input);
    // zlib passes uncompressed files through unchanged.
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzdopen(descriptor.get(), "rb"), gzclose);
    if (!file)
        throw std::bad_alloc();
    descriptor.release(); // zlib closes it
    std::string text;
    std::array<char, 1 << 16> part{};
    for (int got = 0; (got = gzread(file.get(), part.data(), part.size())) != 0;) {
        int status = Z_OK;
        if (got < 0) {
            const char* const why = gzerror(file.get(), &status);
            refuseGzip(path, "a text file, plain or gzip", status == Z_ERRNO ? std::strerror(errno) : why);
        }
        if (text.size() + got > most)
            refuseGzip(path, "at most " + std::to_string(most) + " bytes, unpacked", "more",
                       "give a part of the file");
        text.append(part.data(), got);
    }
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (status == Z_BUF_ERROR)
        refuseGzip(path, "the end of the packed text", "a file that is cut off");
    return text;
}

} // namespace headscope::files
