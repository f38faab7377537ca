#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "app/sessions/session.h"
#include "model/files/animated_png.h"
#include "model/files/atomic_file.h"
#include "model/files/figure_files.h"
#include "model/files/npy.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using foreign_files::contentOf;
using namespace headscope;
namespace fs = std::filesystem;

using Save = std::function<void(const std::filesystem::path&)>;
Q_DECLARE_METATYPE(Save)

namespace {

/// What happens at one of the calls to the system. "Half": of a write the first half is written before.
enum class Fault { None, KilledBefore, KilledAfter, KilledHalfway, DiskFails, DiskIsFull };

struct Plan {
    Fault fault = Fault::None;
    int call = 0; ///< at which, from 1
};
Plan plan;
int* calls = nullptr; ///< so many there were, while this is not null; seen by the parent, too

[[noreturn]] void die() {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;)
        pause();
}

bool isHit() {
    return calls && ++*calls == plan.call && plan.fault != Fault::None;
}

/// What the program asks of the system, or what comes in between. `half` is all of what cannot be halved.
template <class Call, class Half>
long asked(const Call& call, const Half& half) {
    if (!isHit())
        return call();
    if (plan.fault == Fault::DiskFails || plan.fault == Fault::DiskIsFull) {
        errno = plan.fault == Fault::DiskFails ? EIO : ENOSPC;
        return -1;
    }
    if (plan.fault == Fault::KilledHalfway)
        half();
    else if (plan.fault == Fault::KilledAfter)
        call();
    die();
}

template <class Call>
int asked(const Call& call) {
    return static_cast<int>(asked(call, call));
}

} // namespace

// In place of the C library's, for the program's libraries, too.
extern "C" {

int open(const char* path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    return asked([&] { return syscall(SYS_openat, AT_FDCWD, path, flags, mode); });
}

ssize_t write(int file, const void* bytes, size_t size) {
    return asked([&] { return syscall(SYS_write, file, bytes, size); },
                 [&] { return syscall(SYS_write, file, bytes, size / 2); });
}

int fsync(int file) {
    return asked([&] { return syscall(SYS_fsync, file); });
}

int fchmod(int file, mode_t mode) noexcept {
    return asked([&] { return syscall(SYS_fchmod, file, mode); });
}

int rename(const char* from, const char* to) noexcept {
    return asked([&] { return syscall(SYS_rename, from, to); });
}

} // extern "C"

namespace {

void saveAnimation(const fs::path& path) {
    const auto frame =
        contentOf(HEADSCOPE_SOURCE "/tests/gallery/images/gradient-x-attention-cross-light.png");
    files::AtomicFile file(path);
    files::AnimatedPng animation(frame, 3, [&](std::string_view bytes) { file.write(bytes); });
    for (int i = 0; i < 3; ++i)
        animation.add({.png = frame, .milliseconds = 700});
    animation.finish();
    file.commit();
}

std::vector<float> someNumbers() {
    std::vector<float> numbers(2 * 3 * 8 * 8);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<float>(i) / 7;
    return numbers;
}

void saveTrace(const fs::path& path) {
    const auto numbers = someNumbers();
    files::saveSafetensors(
        path,
        {{.name = "encoder_self/weights", .shape = {2, 3, 8, 8}, .bytes = std::as_bytes(std::span(numbers))},
         {.name = "encoder_self/scores", .shape = {2, 3, 8, 8}, .bytes = std::as_bytes(std::span(numbers))}},
        {{"tokens.json", "{}"}});
}

void saveData(const fs::path& path) {
    const auto numbers = someNumbers();
    trace::DataArray map{.name = "weights", .axes = {{"query", {}}, {"key", {}}}, .shape = {48, 8}};
    map.values.assign(numbers.begin(), numbers.end());
    files::saveFigureData(path, {.arrays = {map}, .tables = {}}, {{"Title", "weights"}});
}

void saveSessionFile(const fs::path& path) {
    app::SessionState state;
    state.request = std::make_shared<const trace::Request>(trace::Request{.source = "Hello."});
    state.view = "masks";
    app::saveSession(state, path);
}

/// 0: saved, 1: refused, -1: killed.
int ends(const Save& save, const fs::path& path, const Plan& wanted, int* counter) {
    *counter = 0;
    const pid_t child = fork();
    if (child == 0) {
        plan = wanted;
        calls = counter;
        int status = 0;
        try {
            save(path);
        } catch (const trace::Refusal&) {
            status = 1;
        }
        _exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

/// Stops what saves a file at every call to the system, in every way that programs are stopped.
class InterruptedSavingTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_{inMemory()};
    int* counter_ = nullptr;
    int points_ = 0;

    /// Where there is such a folder: hundreds of files are made sure of.
    static QString inMemory() {
        return QFileInfo("/dev/shm").isWritable() ? "/dev/shm/headscope-test-XXXXXX"
                                                  : QDir::tempPath() + "/headscope-test-XXXXXX";
    }

    std::size_t filesThere() const {
        const fs::directory_iterator all(folder_.path().toStdString());
        return static_cast<std::size_t>(std::distance(all, fs::directory_iterator()));
    }

    /// The old file or the new one; what is left beside it by a killed program, the next one removes.
    void check(const Save& save, const fs::path& path, const std::string& whole, const Plan& wanted) {
        const std::string old = "what was there before";
        std::ofstream(path, std::ios::binary | std::ios::trunc) << old;
        const int ended = ends(save, path, wanted, counter_);
        const auto found = contentOf(path);
        const bool isKilled = wanted.fault == Fault::KilledBefore || wanted.fault == Fault::KilledAfter ||
                              wanted.fault == Fault::KilledHalfway;
        QCOMPARE(ended < 0, isKilled);
        QVERIFY2(found == old || found == whole, path.extension().c_str());
        if (ended == 0)
            QVERIFY(found == whole);
        if (ended >= 0)
            QCOMPARE(filesThere(), std::size_t{1});
        save(path);
        QVERIFY(contentOf(path) == whole);
        QCOMPARE(filesThere(), std::size_t{1});
        ++points_;
    }

  private Q_SLOTS:
    void initTestCase() {
        void* const shared =
            mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        QVERIFY(shared != MAP_FAILED);
        counter_ = static_cast<int*>(shared);
    }

    void theOldFileOrTheNewOneIsThereWhole_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<Save>("save");
        QTest::newRow("picture") << "a.png" << Save([](const fs::path& path) {
            files::saveAtomically(path, contentOf(HEADSCOPE_SOURCE "/resources/manual/pictures/heatmap.png"));
        });
        QTest::newRow("session") << "a.headscope" << Save(saveSessionFile);
        QTest::newRow("film") << "film.png" << Save(saveAnimation);
        QTest::newRow("trace") << "a.safetensors" << Save(saveTrace);
        for (const char* name : {"a.csv", "a.json", "a.npz"})
            QTest::newRow(name) << name << Save(saveData);
    }

    void theOldFileOrTheNewOneIsThereWhole() {
        QFETCH(QString, name);
        QFETCH(Save, save);
        const auto path = fs::path(folder_.path().toStdString()) / name.toStdString();
        QCOMPARE(ends(save, path, {}, counter_), 0);
        const int count = *counter_;
        const auto whole = contentOf(path);
        QVERIFY(count >= 6); // it is opened, written, made sure of, renamed, and its folder made sure of
        QVERIFY(!whole.empty());
        for (const auto fault : {Fault::KilledBefore, Fault::KilledAfter, Fault::KilledHalfway,
                                 Fault::DiskFails, Fault::DiskIsFull})
            for (int call = 1; call <= count; ++call) {
                check(save, path, whole, {.fault = fault, .call = call});
                if (QTest::currentTestFailed()) {
                    qWarning("fault %d at call %d of %d", static_cast<int>(fault), call, count);
                    return;
                }
            }
        fs::remove(path);
    }

    void cleanupTestCase() { QVERIFY2(points_ >= 200, qPrintable(QString::number(points_))); }
};

HEADSCOPE_TEST(InterruptedSavingTest)
#include "interrupted_saving_test.moc"
