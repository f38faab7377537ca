#include "model/files/atomic_file.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

using namespace foreign_files;
using namespace headscope::files;
namespace fs = std::filesystem;

class AtomicFileTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aNewFileIsWritten() {
        const Folder folder;
        saveAtomically(folder / "new", std::string_view("content"));
        QCOMPARE(contentOf(folder / "new"), std::string("content"));
        QCOMPARE(filesIn(folder.path()), std::size_t{1});
    }

    void anOldFileIsReplacedAndKeepsItsPermissions() {
        const Folder folder;
        writeFile(folder / "old", "old");
        fs::permissions(folder / "old", fs::perms(0640));
        saveAtomically(folder / "old", std::string_view("new"));
        QCOMPARE(contentOf(folder / "old"), std::string("new"));
        QCOMPARE(static_cast<int>(fs::status(folder / "old").permissions()), 0640);
    }

    void nothingChangesUntilCommit() {
        const Folder folder;
        writeFile(folder / "file", "old");
        {
            AtomicFile file(folder / "file");
            file.write(std::string_view("half of the n"));
            QCOMPARE(contentOf(folder / "file"), std::string("old"));
        }
        QCOMPARE(contentOf(folder / "file"), std::string("old"));
        QCOMPARE(filesIn(folder.path()), std::size_t{1});
    }

    void aLinkIsFollowedToItsFile() {
        const Folder folder;
        fs::create_directory(folder / "there");
        writeFile(folder / "there/file", "old");
        fs::create_symlink("there/file", folder / "link");
        fs::create_symlink("link", folder / "linkToLink");
        saveAtomically(folder / "linkToLink", std::string_view("new"));
        QVERIFY(fs::is_symlink(folder / "linkToLink"));
        QVERIFY(fs::is_symlink(folder / "link"));
        QCOMPARE(contentOf(folder / "there/file"), std::string("new"));
    }

    void aLinkToNothingYetMakesTheFileItNames() {
        const Folder folder;
        fs::create_symlink("later", folder / "link");
        saveAtomically(folder / "link", std::string_view("new"));
        QVERIFY(fs::is_symlink(folder / "link"));
        QCOMPARE(contentOf(folder / "later"), std::string("new"));
    }

    void linksInACircleAreRefused() {
        const Folder folder;
        fs::create_symlink("b", folder / "a");
        fs::create_symlink("a", folder / "b");
        QVERIFY(contains(refusalOf([&] { saveAtomically(folder / "a", std::string_view("x")); }),
                         {"symbolic links"}));
    }

    void aFullDiskLeavesTheOldFileAndNoRubbish() {
        const Folder folder;
        writeFile(folder / "file", "old");
        const std::string large(10000, 'x');
        std::string refusal;
        {
            const FullDisk full(4096);
            refusal = refusalOf([&] { saveAtomically(folder / "file", std::string_view(large)); });
        }
        QVERIFY(contains(refusal, {"could not be saved", "file", "too large", "limits of this process"}));
        QCOMPARE(contentOf(folder / "file"), std::string("old"));
        QCOMPARE(filesIn(folder.path()), std::size_t{1});
    }

    void aMissingFolderIsRefusedByName() {
        const Folder folder;
        const auto path = folder / "missing/file";
        QVERIFY(contains(refusalOf([&] { saveAtomically(path, std::string_view("x")); }),
                         {path.c_str(), "No such file or directory", "a folder that is there", "missing",
                          "Make the folder"}));
        writeFile(folder / "file", "no folder");
        QVERIFY(contains(refusalOf([&] { saveAtomically(folder / "file/file", std::string_view("x")); }),
                         {"Not a directory", "a folder, not a file"}));
    }

    void aFolderIsNotReplaced() {
        const Folder folder;
        fs::create_directory(folder / "folder");
        QVERIFY(contains(refusalOf([&] { saveAtomically(folder / "folder", std::string_view("x")); }),
                         {"a folder"}));
        QVERIFY(contains(refusalOf([&] { saveAtomically(folder / "folder/", std::string_view("x")); }),
                         {"folder"}));
        QVERIFY(fs::is_directory(folder / "folder"));
    }

    void whatCannotBeSavedIsKnownBefore() {
        const Folder folder;
        fs::create_directory(folder / "folder");
        writeFile(folder / "file", "old");
        for (const auto& path : {folder / "missing/file", folder / "folder", folder / "folder/"})
            QCOMPARE(refusalOf([&] { refuseUnlessSavable(path); }),
                     refusalOf([&] { saveAtomically(path, std::string_view("x")); }));
        refuseUnlessSavable(folder / "file");
        refuseUnlessSavable(folder / "new");
        QCOMPARE(filesIn(folder.path()), std::size_t{2});
    }

    void aDeviceIsNotReplaced() {
        QVERIFY(
            contains(refusalOf([] { saveAtomically("/dev/null", std::string_view("x")); }), {"/dev/null"}));
    }

    void aProtectedFileIsNotReplaced() {
        if (::geteuid() == 0)
            QSKIP("nothing is protected from the administrator");
        const Folder folder;
        writeFile(folder / "file", "old");
        fs::permissions(folder / "file", fs::perms(0444));
        QVERIFY(contains(refusalOf([&] { saveAtomically(folder / "file", std::string_view("x")); }),
                         {"Permission denied", "a file that may be written to", "permissions"}));
        fs::permissions(folder.path(), fs::perms(0555));
        QVERIFY(contains(refusalOf([&] { saveAtomically(folder / "other", std::string_view("x")); }),
                         {"Permission denied", "a folder that may be written to", "permissions"}));
        fs::permissions(folder.path(), fs::perms(0755));
    }
};

HEADSCOPE_TEST(AtomicFileTest)
#include "atomic_file_test.moc"
