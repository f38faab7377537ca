#include <QCryptographicHash>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/registered_test.h"

/// The net reports what changed, and nothing else.
class NetTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }

    struct Result {
        int status = -1;
        QStringList lines;
    };
    static Result run(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(HEADSCOPE_BUILD "/tests/" + program, arguments);
        const bool ended = process.waitForFinished() && process.exitStatus() == QProcess::NormalExit;
        return {ended ? process.exitCode() : -1,
                QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts)};
    }
    Result compare() { return run("compare_nets", {path("before"), path("after"), "--out", path("page")}); }
    void draw(const QString& net) {
        const auto [status, lines] =
            run("net", {path(net), "--only", "help/info", "--only", "traces/translator", "--only",
                        "views/toy-copy/heatmap/light"});
        QCOMPARE(status, 0);
    }
    static QByteArray contentOf(const QString& file) {
        QFile read(file);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    static void write(const QString& file, const QByteArray& content) {
        QFile to(file);
        QVERIFY(to.open(QIODevice::WriteOnly) && to.write(content) == content.size());
    }
    static QByteArray hashOf(const QByteArray& content) {
        return QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
    }
    /// Changes an item and its hash, as if the programs had written it like this.
    void replace(const QString& item, const QByteArray& content) {
        const QByteArray before = contentOf(path("after/items/" + item));
        QVERIFY(!before.isEmpty() && before != content);
        write(path("after/items/" + item), content);
        QByteArray manifest = contentOf(path("after/manifest.txt"));
        const QByteArray name = ' ' + item.toUtf8() + '\n';
        QVERIFY(manifest.contains(hashOf(before) + name));
        write(path("after/manifest.txt"), manifest.replace(hashOf(before) + name, hashOf(content) + name));
    }

  private Q_SLOTS:
    void twiceIsTheSame() {
        draw("before");
        draw("after");
        const auto [status, lines] = compare();
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines[0].endsWith(" same, 0 differ, 0 only before, 0 only after"), qPrintable(lines[0]));
        QVERIFY(lines[0].section(' ', 0, 0).toInt() > 20);
        QCOMPARE(status, 0);
    }

    void onePixelAndOneNumberAreFound() {
        const QString picture = "views/toy-copy/heatmap/light/picture.png";
        QImage image(path("after/items/" + picture));
        image.setPixelColor(30, 20, QColor(1, 2, 3));
        QVERIFY(image.save(path("pixel.png")));
        replace(picture, contentOf(path("pixel.png")));
        const QString array = "traces/translator/cross/weights.npy";
        QByteArray numbers = contentOf(path("after/items/" + array));
        const float number = 2;
        numbers.replace(numbers.size() - qsizetype(sizeof number), sizeof number,
                        QByteArray(reinterpret_cast<const char*>(&number), sizeof number));
        replace(array, numbers);

        const auto [status, lines] = compare();
        QCOMPARE(status, 1);
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].startsWith(array + ": 1 of "), qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith(picture + ": 1 pixels differ"), qPrintable(lines[1]));
        QVERIFY2(lines[2].endsWith(" same, 2 differ, 0 only before, 0 only after"), qPrintable(lines[2]));
        const QByteArray page = contentOf(path("page/index.html"));
        for (const QString& name : {picture, array})
            QVERIFY(page.contains(name.toUtf8()));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, NetTest)
#include "net_test.moc"
