#include <QTest>

#include "model/files/atomic_file.h"
#include "model/files/gzip.h"
#include "model/files/read_file.h"
#include "tests/model/files/foreign_files.h"
#include "tests/new_file.h"
#include "tests/registered_test.h"

#include <filesystem>

using namespace headscope;
using namespace headscope::files;
using namespace foreign_files;

namespace {

/// Empty if the file can be saved.
std::string refusalToSave(const std::filesystem::path& path, FileRole role = FileRole::Output) {
    return refusalOf([&] { saveAtomically(path, "new", role); });
}

} // namespace

/// Outputs never replace files that the process has read.
class FileRoleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatWasReadIsNotReplaced() {
        const Folder folder;
        writeFile(folder / "weights", "old");
        writeFile(folder / "other", "old");
        QCOMPARE(refusalToSave(folder / "other"), std::string());
        readText(folder / "weights");
        QVERIFY(refusalToSave(folder / "weights").find("weights") != std::string::npos);
        QCOMPARE(readText(folder / "weights"), std::string("old"));
    }

    void noLinkLeadsAroundIt() {
        const Folder folder;
        writeFile(folder / "weights", "old");
        std::filesystem::create_symlink("weights", folder / "symbolic");
        std::filesystem::create_hard_link(folder / "weights", folder / "hard");
        readFile(folder / "symbolic");
        for (const char* name : {"weights", "symbolic", "hard"})
            QVERIFY2(!refusalToSave(folder / name).empty(), name);
        QCOMPARE(readText(folder / "weights"), std::string("old"));
    }

    void aPackedCorpusCounts() {
        const Folder folder;
        writeFile(folder / "corpus", "a\tb\n");
        readPlainOrGzip((folder / "corpus").string(), 100);
        QVERIFY(!refusalToSave(folder / "corpus").empty());
    }

    void whatIsSavedAgainUnderItsNameIs() {
        const Folder folder;
        for (const auto role : {FileRole::Session, FileRole::ModelSettings, FileRole::Training}) {
            writeFile(headscope::tests::newFile(folder / "own"), "old");
            readText(folder / "own", 100, role);
            QVERIFY(!refusalToSave(folder / "own").empty()); // the output of another process is not replaced
            saveAtomically(folder / "own", "new", role);
            QCOMPARE(readText(folder / "own", 100, role), std::string("new"));
            // Saving a session over a model's weights is refused too.
            writeFile(tests::newFile(folder / "weights"), "old");
            readText(folder / "weights");
            QVERIFY(!refusalToSave(folder / "weights", role).empty());
        }
    }

    void aFileThatIsGoneIsForgottenThoughItsNumberIsUsedAgain() {
        const Folder folder;
        for (int i = 0; i < 50; ++i) {
            const auto path = folder / ("file" + std::to_string(i)).c_str();
            writeFile(path, "old");
            readText(path);
            std::filesystem::remove(path);
            writeFile(path, "another");
            QCOMPARE(refusalToSave(path), std::string());
        }
    }
};

HEADSCOPE_TEST(FileRoleTest)
#include "file_role_test.moc"
