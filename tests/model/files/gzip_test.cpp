#include <QTemporaryDir>
#include <QTest>

#include "model/files/gzip.h"
#include "model/trace/refusal.h"
#include "tests/registered_test.h"

using namespace headscope;

class GzipTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string write(const char* name, const QByteArray& bytes) const {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        return file.fileName().toStdString();
    }

    /// "one\ntwo\n", packed.
    static QByteArray packed() {
        return QByteArray::fromHex("1f8b0800000000000203cbcf4be52a29cfe70200e60bba1208000000");
    }

    static std::string refusalOf(const std::string& path, std::uint64_t most = 1000) {
        try {
            files::readPlainOrGzip(path, most);
        } catch (const trace::Refusal& refusal) {
            return refusal.what();
        }
        return {};
    }

  private Q_SLOTS:
    void packedTextIsUnpacked() {
        QCOMPARE(files::readPlainOrGzip(write("a.gz", packed())), std::string("one\ntwo\n"));
    }

    void plainTextIsReadAsItIs() {
        QCOMPARE(files::readPlainOrGzip(write("a.txt", "one\n")), std::string("one\n"));
    }

    void whatIsCutOffIsRefused() {
        QVERIFY(refusalOf(write("b.gz", packed().chopped(12))).find("b.gz") != std::string::npos);
    }

    void whatIsDamagedIsRefused() {
        auto bytes = packed();
        bytes[20] = static_cast<char>(~bytes[20]); // a bit of its checksum
        QVERIFY(!refusalOf(write("c.gz", bytes)).empty());
    }

    void tooMuchIsRefused() {
        QVERIFY(refusalOf(write("d.gz", packed()), 5).find("at most 5") != std::string::npos);
    }

    void aMissingFileIsRefused() {
        QVERIFY(refusalOf("no-such-file").find("no-such-file") != std::string::npos);
    }
};

HEADSCOPE_TEST(GzipTest)
#include "gzip_test.moc"
