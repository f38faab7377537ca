#include "model/files/saving_refusal.h"

#include <system_error>

#include <unistd.h>

namespace headscope::files {

namespace {

struct Advice {
    std::string expected;
    const char* wayOut;
};

std::string folderInWords(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path().string() : "the current one";
}

/// Either the file itself is write-protected, or no file can be created in its folder.
Advice onPermissions(const std::filesystem::path& path) {
    const bool isThere = ::access(path.c_str(), F_OK) == 0;
    return {isThere && ::access(path.c_str(), W_OK) != 0
                ? "a file that may be written to"
                : "a folder that may be written to: " + folderInWords(path),
            "Choose another folder, or change the permissions."};
}

Advice adviceOn(const std::filesystem::path& path, int error) {
    switch (error) {
    case ENOENT:
        return {"a folder that is there: " + folderInWords(path), "Make the folder, or choose another one."};
    case ENOTDIR:
        return {"a folder, not a file: " + folderInWords(path), "Choose another folder."};
    case EISDIR:
        return {"the name of a file", "Give the name of a file in it."};
    case EEXIST:
        return {"a folder, or nothing yet", "Choose another name."};
    case EACCES:
    case EPERM:
        return onPermissions(path);
    case EROFS:
        return {"a disk that may be written to", "Choose another disk."};
    case ENOSPC:
    case EDQUOT:
        return {"room on the disk for all of it", "Free some space, or choose another disk."};
    case EFBIG:
        return {"a size that the disk and the limits of this process allow",
                "Choose another disk, or raise the limit (ulimit -f)."};
    case ELOOP:
        return {"symbolic links that lead to a file", "Repair the symbolic links on the way."};
    case ENAMETOOLONG:
        return {"a name that the disk takes", "Choose a shorter name."};
    default:
        return {"a disk that takes it", "Try again; if it stays, choose another disk."};
    }
}

} // namespace

trace::Refusal savingRefusal(const std::string& what, const std::filesystem::path& path, int error) {
    const Advice advice = adviceOn(path, error);
    return trace::Refusal({.what = what,
                           .where = path.string(),
                           .expected = advice.expected,
                           .found = std::generic_category().message(error),
                           .wayOut = advice.wayOut});
}

} // namespace headscope::files
