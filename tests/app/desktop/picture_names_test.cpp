#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/picture_names.h"
#include "tests/registered_test.h"

using headscope::app::proposedFile;

class PictureNamesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsProposedIsAnAbsolutePathInTheFolder() {
        const QTemporaryDir folder;
        QCOMPARE(proposedFile(folder.path(), "cross.1.5", "png"),
                 QDir(folder.path()).filePath("cross.1.5.png"));
        for (const QString& gone : {QString(), QStringLiteral("/no/such/folder")}) {
            const QString path = proposedFile(gone, "cross.1.5", "png");
            QVERIFY(QFileInfo(path).isAbsolute());
            QVERIFY2(QFileInfo(path).absoluteDir().exists(), qPrintable(path));
        }
        QCOMPARE(proposedFile(".", "a", "csv"), QDir::current().absoluteFilePath("a.csv"));
    }

    void aNameHasNothingThatFileSystemsRefuse() {
        const QTemporaryDir folder;
        const auto named = [&](const QString& title) {
            return QFileInfo(proposedFile(folder.path(), title, "png")).fileName();
        };
        QCOMPARE(named("cross.1.5, cross.2.0"), QString("cross.1.5 cross.2.0.png"));
        QCOMPARE(named("./a/b: \"c\"?"), QString("a b c.png"));
        QCOMPARE(named("..."), QString("picture.png"));
        QCOMPARE(named("Übersicht ▁Tür"), QString("Übersicht Tür.png"));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, PictureNamesTest)
#include "picture_names_test.moc"
