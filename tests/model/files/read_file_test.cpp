#include "model/files/read_file.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <sys/stat.h>

using namespace foreign_files;
using namespace headscope::files;

class ReadFileTest : public QObject {
    Q_OBJECT

    Folder folder_;

  private Q_SLOTS:
    void theWholeFileIsRead() {
        const std::string content("a\0b\xFF\n", 5);
        writeFile(folder_ / "file", content);
        QCOMPARE(readText(folder_ / "file"), content);
        QVERIFY(std::ranges::equal(*readFile(folder_ / "file"), bytesOf(content)));
    }

    void anEmptyFileIsEmpty() {
        writeFile(folder_ / "empty", "");
        QVERIFY(readFile(folder_ / "empty")->empty());
    }

    void aMissingFileIsRefusedByName() {
        const auto path = folder_ / "missing";
        QVERIFY(contains(refusalOf([&] { readFile(path); }), {path.c_str(), "No such file", "spelling"}));
    }

    void aFolderIsRefused() {
        QVERIFY(contains(refusalOf([&] { readText(folder_.path()); }), {"regular file", "a folder"}));
    }

    void aPipeIsRefusedWithoutWaitingForIt() {
        QCOMPARE(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
        QVERIFY(contains(refusalOf([&] { readFile(folder_ / "pipe"); }), {"a pipe"}));
    }

    void aDeviceIsRefused() {
        QVERIFY(contains(refusalOf([&] { readFile("/dev/zero"); }), {"/dev/zero", "a device"}));
    }

    void theLimitItselfIsAllowedAndOneByteMoreIsNot() {
        writeFile(folder_ / "ten", "0123456789");
        QCOMPARE(readText(folder_ / "ten", 10).size(), std::size_t{10});
        QVERIFY(contains(refusalOf([&] { readText(folder_ / "ten", 9); }), {"at most 9", "10 bytes"}));
    }

    void aHugeSparseFileIsRefusedBeforeItsBytesAreAllocated() {
        writeFile(folder_ / "sparse", "");
        std::filesystem::resize_file(folder_ / "sparse", defaultMaximumFileBytes + 1);
        QVERIFY(contains(refusalOf([&] { readFile(folder_ / "sparse"); }), {"too large"}));
    }

    void aStopThatWasAskedForReadsNothing() {
        writeFile(folder_ / "file", "content");
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(readFile(folder_ / "file", 100, stop.get_token()),
                                 headscope::trace::Cancelled);
    }
};

HEADSCOPE_TEST(ReadFileTest)
#include "read_file_test.moc"
