#include "model/files/atomic_file.h"

#include "model/files/saving_refusal.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope::files {

namespace {

const std::string couldNotSave = "The file could not be saved";
constexpr std::string_view unfinished = ".headscope-"; // followed by process id, "-" and a suffix

/// Resolves symbolic links; the result need not exist.
std::filesystem::path followLinks(std::filesystem::path path) {
    std::error_code error;
    for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
        if (links == 40)
            throw savingRefusal(couldNotSave, path, ELOOP);
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        if (error)
            throw savingRefusal(couldNotSave, path, error.value());
        path = path.parent_path() / next; // an absolute `next` replaces all of it
    }
    return path;
}

std::filesystem::path folderOf(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void synchronizeFolder(const std::filesystem::path& target) {
    const FileDescriptor folder(::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some network file systems cannot synchronize a folder; the file itself is safe nevertheless.
    if (!folder.isOpen() || (::fsync(folder.get()) != 0 && errno != EINVAL && errno != ENOTSUP))
        throw savingRefusal("The file was saved, but the disk did not confirm its name", target);
}

struct Unfinished {
    std::filesystem::path path;
    ::pid_t process = 0; ///< owner
};

std::vector<Unfinished> unfinishedIn(const std::filesystem::path& folder) {
    std::vector<Unfinished> all;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const auto name = entry->path().filename().string();
        ::pid_t process = 0;
        const auto* const digits = name.data() + unfinished.size();
        if (isUnfinished(entry->path()) &&
            std::from_chars(digits, name.data() + name.size(), process).ec == std::errc() && process > 0)
            all.push_back({.path = entry->path(), .process = process});
    }
    return all;
}

bool hasEnded(::pid_t process) {
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Removes temporary files of processes that have ended. A process that is not visible may still run on
/// another machine or in another container; then its file is locked.
void removeFilesOfTheDead(const std::filesystem::path& folder) {
    for (const auto& [path, process] : unfinishedIn(folder)) {
        if (!hasEnded(process))
            continue;
        const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat status {};
        if (file.isOpen() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
            ::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
            ::unlink(path.c_str());
    }
}

/// Returns the file to replace when saving to `path`.
std::filesystem::path targetOf(const std::filesystem::path& path, FileRole role = FileRole::Output) {
    auto target = followLinks(path);
    if (!target.has_filename())
        throw savingRefusal(couldNotSave, path, EISDIR);
    refuseUnlessReplaceable(target, role);
    return target;
}

} // namespace

void refuseUnlessReplaceable(const std::filesystem::path& target, FileRole role) {
    struct stat status {};
    if (::stat(target.c_str(), &status) != 0) {
        if (errno == ENOENT)
            return;
        throw savingRefusal(couldNotSave, target);
    }
    if (!S_ISREG(status.st_mode))
        throw trace::Refusal({.what = couldNotSave,
                              .where = target.string(),
                              .expected = "a regular file, or none yet",
                              .found = S_ISDIR(status.st_mode) ? "a folder" : "a pipe or device",
                              .wayOut = "Choose another name."});
    if (::access(target.c_str(), W_OK) != 0)
        throw savingRefusal(couldNotSave, target);
    refuseToReplaceWhatWasRead(target, role);
}

std::string unfinishedName(std::string_view which) {
    return std::string(unfinished) + std::to_string(::getpid()) + "-" + std::string(which);
}

bool isUnfinished(const std::filesystem::path& path) {
    return path.filename().string().starts_with(unfinished);
}

void removeUnfinished(const std::filesystem::path& folder) {
    std::error_code error;
    for (const auto& [path, process] : unfinishedIn(folder))
        if (process == ::getpid() || hasEnded(process))
            std::filesystem::remove_all(path, error);
}

void refuseUnlessSavable(const std::filesystem::path& path) {
    const auto target = targetOf(path);
    if (::access(folderOf(target).c_str(), W_OK | X_OK) != 0)
        throw savingRefusal(couldNotSave, target);
}

AtomicFile::AtomicFile(const std::filesystem::path& path, FileRole role) : target_(targetOf(path, role)) {
    removeFilesOfTheDead(folderOf(target_));
    createTemporary();
    struct stat existing {};
    if (::stat(target_.c_str(), &existing) == 0 &&
        ::fchmod(descriptor_.get(), existing.st_mode & 0777) != 0) {
        const int error = errno;
        std::remove(temporary_.c_str());
        throw savingRefusal(couldNotSave, target_, error);
    }
}

/// Creates the file without a name if the file system can (O_TMPFILE): then nothing is left if the process is
/// killed. Mode 0666 leaves permissions to the umask.
void AtomicFile::createTemporary() {
    if (::access("/proc/self/fd", X_OK) == 0) // commit() needs it to name the file
        descriptor_ =
            FileDescriptor(::open(folderOf(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (!descriptor_.isOpen())
        nameTemporary([this](const std::filesystem::path& name) {
            // O_EXCL: never write through an existing link.
            descriptor_ = FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            return descriptor_.isOpen();
        });
    ::flock(descriptor_.get(), LOCK_EX | LOCK_NB); // fails harmlessly on file systems without locks
}

/// Calls `give` with random names until one is free.
void AtomicFile::nameTemporary(const std::function<bool(const std::filesystem::path&)>& give) {
    std::random_device random;
    for (int attempt = 0;; ++attempt) {
        const std::filesystem::path candidate = folderOf(target_) / unfinishedName(std::to_string(random()));
        if (give(candidate)) {
            temporary_ = candidate;
            return;
        }
        if (errno != EEXIST || attempt == 100)
            throw savingRefusal(couldNotSave, target_);
    }
}

AtomicFile::~AtomicFile() {
    if (!temporary_.empty())
        std::remove(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            throw savingRefusal(couldNotSave, target_);
        bytes = bytes.subspan(written);
    }
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit() {
    if (::fsync(descriptor_.get()) != 0)
        throw savingRefusal(couldNotSave, target_);
    if (temporary_.empty()) {
        const auto open = "/proc/self/fd/" + std::to_string(descriptor_.get());
        nameTemporary([&](const std::filesystem::path& name) {
            return ::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
        });
    }
    if (const int error = descriptor_.close())
        throw savingRefusal(couldNotSave, target_, error);
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
        throw savingRefusal(couldNotSave, target_);
    temporary_.clear();
    synchronizeFolder(target_);
}

void saveAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes, FileRole role) {
    AtomicFile file(path, role);
    file.write(bytes);
    file.commit();
}

void saveAtomically(const std::filesystem::path& path, std::string_view text, FileRole role) {
    saveAtomically(path, std::as_bytes(std::span(text)), role);
}

} // namespace headscope::files
