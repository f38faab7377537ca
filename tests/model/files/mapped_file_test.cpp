#include "model/files/atomic_file.h"
#include "model/files/mapped_file.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope;

namespace {

files::FileBytes map(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t size) {
    return files::mapped(files::openForReading(path), begin, size, path);
}

} // namespace

class MappedFileTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anyPartIsMapped() {
        const Folder folder;
        std::string content;
        for (int i = 0; i < 20'000; ++i)
            content += static_cast<char>(i * 7);
        writeFile(folder / "file", content);
        for (const auto& [begin, size] :
             {std::pair(0, 20'000), std::pair(5'001, 9'000), std::pair(4'096, 1)}) {
            const auto bytes =
                map(folder / "file", static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(size));
            QCOMPARE(bytes.size(), static_cast<std::size_t>(size));
            QVERIFY(std::memcmp(bytes.data(), content.data() + begin, bytes.size()) == 0);
        }
        QVERIFY(map(folder / "file", 3, 0).empty());
    }

    void aFileThatIsCutOffReadsAsZerosAndIsRefused() {
        const Folder folder;
        writeFile(folder / "file", std::string(100'000, 'x'));
        {
            const auto bytes = map(folder / "file", 0, 100'000);
            files::refuseFilesThatWereCutOff();
            std::filesystem::resize_file(folder / "file", 10);
            QVERIFY(bytes.data()[90'000] == std::byte{});
            QVERIFY(contains(refusalOf([] { files::refuseFilesThatWereCutOff(); }), {"cut off", "file"}));
        }
        files::refuseFilesThatWereCutOff(); // the file is no longer in use
    }

    void aFileThatIsCutOffIsNotSavedAsZeros() {
        const Folder folder;
        writeFile(folder / "file", std::string(100'000, 'x'));
        const auto bytes = map(folder / "file", 0, 100'000);
        std::filesystem::resize_file(folder / "file", 10);
        const auto copy = folder / "copy";
        QVERIFY(contains(refusalOf([&] {
                             files::saveAtomically(copy, {bytes.data(), bytes.size()});
                         }),
                         {"could not be saved", "copy"}));
        QVERIFY(!std::filesystem::exists(copy));
    }
};

HEADSCOPE_TEST(MappedFileTest)
#include "mapped_file_test.moc"
