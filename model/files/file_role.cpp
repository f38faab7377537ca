#include "model/files/file_role.h"

#include "model/trace/refusal.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace headscope::files {

namespace {

/// Device, inode and, if the file system stores it, time of birth.
using Identity = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::uint32_t>;

class FilesRead {
  public:
    void add(const Identity& file, FileRole role) {
        const std::lock_guard lock(mutex_);
        roles_[file].insert(role);
    }
    bool wasReadAsOther(const Identity& file, FileRole role) {
        const std::lock_guard lock(mutex_);
        const auto found = roles_.find(file);
        return found != roles_.end() && found->second != std::set{role};
    }

  private:
    std::mutex mutex_;
    std::map<Identity, std::set<FileRole>> roles_;
};

FilesRead& filesRead() {
    static FilesRead files;
    return files;
}

/// Empty if the file does not exist.
std::optional<Identity> identityOf(int folder, const char* path, int flags) {
    struct statx status {};
    if (::statx(folder, path, flags, STATX_INO | STATX_BTIME, &status) != 0)
        return std::nullopt;
    return Identity{gnu_dev_makedev(status.stx_dev_major, status.stx_dev_minor), status.stx_ino,
                    status.stx_btime.tv_sec, status.stx_btime.tv_nsec};
}

} // namespace

void rememberRead(int descriptor, FileRole role) {
    if (const auto file = identityOf(descriptor, "", AT_EMPTY_PATH))
        filesRead().add(*file, role);
}

void refuseToReplaceWhatWasRead(const std::filesystem::path& path, FileRole role) {
    const auto file = identityOf(AT_FDCWD, path.c_str(), 0);
    if (file && filesRead().wasReadAsOther(*file, role))
        throw trace::Refusal({.what = "The output would replace a file that was read",
                              .where = path.string(),
                              .expected = "a file that is not read, or none yet",
                              .found = "a part of the model, or another input",
                              .wayOut = "Choose another name."});
}

} // namespace headscope::files
