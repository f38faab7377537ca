#include "model/files/zip_archive.h"
#include "model/files/zip_writer.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope::files;

namespace {

constexpr std::uint64_t plenty = 1'000'000;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

} // namespace

class ZipArchiveTest : public QObject {
    Q_OBJECT

    Folder folder_;

    std::string archiveOf(const std::vector<foreign_zip::Entry>& entries) {
        foreign_zip::write(folder_ / "made.zip", entries);
        return contentOf(folder_ / "made.zip");
    }

    ZipArchive opened(const std::string& bytes) {
        writeFile(folder_ / "a.zip", bytes);
        return ZipArchive::open(folder_ / "a.zip");
    }

    std::string refusalToOpen(const std::string& bytes) {
        return refusalOf([&] { opened(bytes); });
    }

  private Q_SLOTS:
    void storedAndDeflatedEntriesAreRead() {
        const std::string text(5000, 'x');
        foreign_zip::write(folder_ / "a.zip", {{"a", "one"}, {"dir/b", text, true}, {"empty", ""}});
        const ZipArchive archive = ZipArchive::open(folder_ / "a.zip");
        QCOMPARE(archive.entries().size(), std::size_t{3});
        QCOMPARE(archive.entries()[1].name, std::string("dir/b"));
        QCOMPARE(archive.entries()[1].size, std::uint64_t{5000});
        QVERIFY(archive.entries()[1].compressed);
        QVERIFY(!archive.entries()[0].compressed);
        QCOMPARE(archive.readText("a", plenty), std::string("one"));
        QCOMPARE(archive.readText("dir/b", plenty), text);
        QCOMPARE(archive.readText("empty", plenty), std::string());
        QVERIFY(archive.find("b") == nullptr);
    }

    void anEntryLargerThanAllowedIsRefused() {
        const auto archive = opened(archiveOf({{"a", "four"}}));
        QCOMPARE(archive.readText("a", 4), std::string("four"));
        QVERIFY(
            contains(refusalOf([&] { archive.read("a", 3); }), {"a.zip, entry a", "at most 3", "4 bytes"}));
    }

    void aStopThatWasAskedForUnpacksNothing() {
        const auto archive = opened(archiveOf({{"a", std::string(5000, 'x'), true}}));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(archive.read("a", plenty, stop.get_token()), headscope::trace::Cancelled);
    }

    void aMissingEntryIsRefusedByName() {
        const auto archive = opened(archiveOf({{"a", "x"}}));
        QVERIFY(contains(refusalOf([&] { archive.read("gone", plenty); }), {"an entry gone"}));
    }

    void aLargeDeflatedEntryIsReadWhole() {
        std::string large;
        for (int i = 0; large.size() < 5'000'000; ++i)
            large += std::to_string(i);
        const std::uint64_t enough = large.size();
        const std::string bytes = archiveOf({{"large", large, true}});
        QCOMPARE(opened(bytes).readText("large", enough), large);
    }

    void aWrongChecksumIsRefused() {
        for (const bool deflated : {false, true}) {
            std::string bytes = archiveOf({{"a", "some content that is long enough to notice", deflated}});
            const std::size_t directory = bytes.find("PK\x01\x02");
            bytes[14] = static_cast<char>(bytes[14] ^ 1); // the checksum in both its places
            bytes[directory + 16] = static_cast<char>(bytes[directory + 16] ^ 1);
            const auto archive = opened(bytes);
            QVERIFY(contains(refusalOf([&] { archive.read("a", plenty); }),
                             {"a.zip, entry a", "checksum", "CRC"}));
        }
    }

    void anEntryThatUnpacksToMoreThanItSaysIsRefused() {
        std::string bytes = archiveOf({{"a", std::string(5000, 'x'), true}});
        const std::size_t directory = bytes.find("PK\x01\x02");
        const std::string claim = littleEndian(100, 4);
        bytes.replace(directory + 24, 4, claim);
        bytes.replace(22, 4, claim);
        const auto archive = opened(bytes);
        QVERIFY(contains(refusalOf([&] { archive.read("a", plenty); }), {"100 bytes"}));
    }

    void anEntryThatClaimsMoreThanDeflateCanGiveIsRefused() {
        std::string bytes = archiveOf({{"a", std::string(5000, 'x'), true}});
        bytes.replace(bytes.find("PK\x01\x02") + 24, 4, littleEndian(1'000'000'000, 4));
        QVERIFY(contains(refusalToOpen(bytes), {"a claims to unpack to more"}));
    }

    void aStoredEntryWithTwoSizesIsRefused() {
        std::string bytes = archiveOf({{"a", "four"}});
        bytes.replace(bytes.find("PK\x01\x02") + 24, 4, littleEndian(1'000'000, 4));
        QVERIFY(contains(refusalToOpen(bytes), {"two different sizes"}));
    }

    void encryptedEntriesAreRefused() {
        QVERIFY(contains(refusalToOpen(archiveOf({{"a", "x", false, true}})), {"a is encrypted"}));
    }

    void namesGivenTwiceAreRefused() {
        const std::string bytes = archiveOf({{"first", "x"}, {"other", "y"}});
        QVERIFY(contains(refusalToOpen(replaced(bytes, "other", "first")), {"first is there twice"}));
    }

    void anotherMethodIsRefusedByItsNumber() {
        std::string bytes = archiveOf({{"a", "x"}});
        bytes[bytes.find("PK\x01\x02") + 10] = 14;
        QVERIFY(contains(refusalToOpen(bytes), {"a is packed by method 14"}));
    }

    void entriesThatShareBytesAreRefused() {
        const std::string large(500, 'x');
        std::string bytes = archiveOf({{"a", large}, {"b", large}, {"c", large}});
        // The first entry claims the whole archive, so the entries together exceed the archive.
        const std::size_t directory = bytes.find("PK\x01\x02");
        bytes.replace(directory + 20, 8, littleEndian(1200, 4) + littleEndian(1200, 4));
        QVERIFY(contains(refusalToOpen(bytes), {"entries of 2200 bytes in an archive of"}));
    }

    void whatIsNoWholeArchiveIsRefused() {
        const std::string bytes = archiveOf({{"a", "one"}, {"b", "two"}});
        for (std::size_t length = 0; length < bytes.size(); length += 7)
            QVERIFY(contains(refusalToOpen(bytes.substr(0, length)), {"a.zip", "a whole zip archive"}));
        QVERIFY(contains(refusalOf([&] { ZipArchive::open(folder_ / "gone.zip"); }),
                         {"gone.zip", "No such file"}));
    }
};

HEADSCOPE_TEST(ZipArchiveTest)
#include "zip_archive_test.moc"
