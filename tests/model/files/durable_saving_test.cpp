#include "model/files/atomic_file.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <cerrno>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace foreign_files;
using namespace headscope::files;
namespace fs = std::filesystem;

namespace {

/// The recorded system calls; null: not recorded.
std::vector<std::string>* asked = nullptr;
int failingCalls = 0; ///< number of the next synchronisation calls that fail

void note(const std::string& what) {
    if (asked && (asked->empty() || asked->back() != what))
        asked->push_back(what);
}

/// "old" is the file that is saved, "new" its replacement.
std::string nameOf(const fs::path& path) {
    if (fs::is_directory(path))
        return "folder";
    const bool hasNoName = path.string().ends_with(" (deleted)");
    return hasNoName || isUnfinished(path) ? "new" : "old";
}

std::string nameOf(int file) {
    return nameOf(fs::read_symlink("/proc/self/fd/" + std::to_string(file)));
}

} // namespace

// Replace those of the C library, also for the program's libraries.
extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
    if (asked)
        note("write " + nameOf(file));
    return syscall(SYS_write, file, bytes, size);
}

int fsync(int file) {
    if (asked)
        note("make sure of " + nameOf(file));
    if (asked && failingCalls > 0) {
        --failingCalls;
        errno = EIO;
        return -1;
    }
    return static_cast<int>(syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) noexcept {
    if (asked)
        note("rename " + nameOf(from) + " to " + nameOf(to));
    return static_cast<int>(syscall(SYS_rename, from, to));
}

} // extern "C"

/// What remains after a power failure: only data on the disk is renamed.
class DurableSavingTest : public QObject {
    Q_OBJECT

    /// The system calls of saving, in order.
    template <class Save>
    static std::vector<std::string> askedBy(Save&& save) {
        std::vector<std::string> all;
        asked = &all;
        save();
        asked = nullptr;
        return all;
    }

  private Q_SLOTS:
    void aFileIsOnTheDiskBeforeItReplacesAnotherAndItsNameAfterwards() {
        const Folder folder;
        writeFile(folder / "file", "old");
        const std::string large(200'000, 'x'); // several writes
        const auto calls = askedBy([&] { saveAtomically(folder / "file", std::string_view(large)); });
        QCOMPARE(calls, (std::vector<std::string>{"write new", "make sure of new", "rename new to old",
                                                  "make sure of folder"}));
    }

    void whatTheDiskDoesNotConfirmReplacesNothing() {
        const Folder folder;
        writeFile(folder / "file", "old");
        failingCalls = 1;
        std::string refusal;
        const auto calls = askedBy(
            [&] { refusal = refusalOf([&] { saveAtomically(folder / "file", std::string_view("new")); }); });
        QVERIFY(contains(refusal, {"could not be saved", "Input/output error"}));
        QCOMPARE(calls, (std::vector<std::string>{"write new", "make sure of new"}));
        QCOMPARE(contentOf(folder / "file"), std::string("old"));
    }
};

HEADSCOPE_TEST(DurableSavingTest)
#include "durable_saving_test.moc"
