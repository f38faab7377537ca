#pragma once

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "model/files/file_bytes.h"
#include "model/trace/refusal.h"

/// Shared by the tests of model/files: files made byte by byte, and the text of a refusal.
namespace foreign_files {

using Bytes = std::vector<std::byte>;

inline Bytes bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

inline std::shared_ptr<const headscope::files::FileBytes> sharedBytes(std::string_view text) {
    return std::make_shared<const headscope::files::FileBytes>(std::as_bytes(std::span(text)));
}

/// `value` in little-endian order.
inline std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (; bytes > 0; --bytes, value >>= 8)
        text += static_cast<char>(value & 0xFF);
    return text;
}

inline void writeFile(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A temporary folder for a test.
class Folder {
  public:
    std::filesystem::path operator/(const char* name) const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }
    std::filesystem::path path() const { return folder_.path().toStdString(); }

  private:
    QTemporaryDir folder_;
};

inline std::size_t filesIn(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// While it exists, files cannot grow beyond a few bytes, as on a full disk.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

/// The paragraph of the refusal that `work` throws; empty if it throws none.
template <class Work>
std::string refusalOf(Work&& work) {
    try {
        work();
    } catch (const headscope::trace::Refusal& refusal) {
        return refusal.what();
    }
    return "";
}

inline bool contains(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        if (text.find(part) == std::string::npos) {
            qWarning("\"%s\" is not in: %s", part, text.c_str());
            return false;
        }
    return true;
}

} // namespace foreign_files
