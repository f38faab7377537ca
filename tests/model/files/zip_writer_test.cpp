#include "model/files/zip_archive.h"
#include "model/files/zip_writer.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope::files;

class ZipWriterTest : public QObject {
    Q_OBJECT

    Folder folder_;

  private Q_SLOTS:
    void whatIsWrittenIsReadBack() {
        ZipWriter writer(folder_ / "a.zip");
        writer.add("text.json", std::string_view("{}"));
        writer.add("dir/\u00e4", std::string_view("bytes\0more", 10));
        writer.add("empty", std::string_view());
        writer.commit();
        const ZipArchive archive = ZipArchive::open(folder_ / "a.zip");
        QCOMPARE(archive.entries().size(), std::size_t{3});
        QCOMPARE(archive.readText("text.json", 100), std::string("{}"));
        QCOMPARE(archive.readText("dir/\u00e4", 100), std::string("bytes\0more", 10));
        QCOMPARE(archive.readText("empty", 100), std::string());
        QVERIFY(!archive.entries()[0].compressed);
    }

    void libzipFindsItConsistent() {
        ZipWriter writer(folder_ / "b.zip");
        writer.add("a", std::string_view("one"));
        writer.add("b", std::string_view("two"));
        writer.commit();
        int error = 0;
        zip_t* archive = zip_open((folder_ / "b.zip").c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
        QVERIFY2(archive, qPrintable(QString::number(error)));
        zip_discard(archive);
    }

    void theSameEntriesGiveTheSameBytes() {
        for (const char* name : {"first", "second"}) {
            ZipWriter writer(folder_ / name);
            writer.add("a", std::string_view("one"));
            writer.commit();
        }
        QCOMPARE(contentOf(folder_ / "first"), contentOf(folder_ / "second"));
    }

    void anEmptyArchiveIsOne() {
        ZipWriter writer(folder_ / "empty.zip");
        writer.commit();
        QVERIFY(ZipArchive::open(folder_ / "empty.zip").entries().empty());
    }

    void withoutCommitThereIsNothing() {
        {
            ZipWriter writer(folder_ / "none.zip");
            writer.add("a", std::string_view("one"));
        }
        QVERIFY(!std::filesystem::exists(folder_ / "none.zip"));
    }

    void moreEntriesThanTheFormatCountsAreRefused() {
        ZipWriter writer(folder_ / "many.zip");
        for (int i = 0; i < 65535; ++i)
            writer.add(std::to_string(i), std::string_view());
        QVERIFY(
            contains(refusalOf([&] { writer.add("one more", std::string_view()); }), {"65535", "one more"}));
    }
};

HEADSCOPE_TEST(ZipWriterTest)
#include "zip_writer_test.moc"
