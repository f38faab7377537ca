#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "app/plain/resource_folders.h"

#include <algorithm>

using namespace headscope::app;

class ResourceFoldersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theProgramsOwnFilesAreFound() {
        QVERIFY(exists(resourceFolder() / "families" / "annotated-transformer.json"));
        QVERIFY(exists(engineModule()));
        QVERIFY(engineModule().is_absolute());
    }

    void familiesOfThePersonComeLast() {
        qputenv("XDG_DATA_HOME", "/home/someone/data");
        QCOMPARE(personalFolder().string(), std::string("/home/someone/data/headscope"));
        QCOMPARE(familyFolders().size(), std::size_t{2});
        QCOMPARE(familyFolders()[0], resourceFolder() / "families");
        QCOMPARE(familyFolders()[1], personalFolder() / "families");
        qputenv("XDG_DATA_HOME", "");
        qputenv("HOME", "/home/someone");
        QCOMPARE(personalFolder().string(), std::string("/home/someone/.local/share/headscope"));
    }

    void theFirstBundledModelIsTheOneToOpen() {
        const auto models = bundledModels();
        QVERIFY(!models.empty());
        QCOMPARE(models.front(), std::string("tatoeba-en-de"));
        QCOMPARE(resolveModel("tatoeba-en-de"), resourceFolder() / "models" / "tatoeba-en-de");
    }

    void anExistingPathWinsOverABundledName() {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir(folder.path()).mkdir("tatoeba-en-de"));
        QVERIFY(QDir::setCurrent(folder.path()));
        QCOMPARE(resolveModel("tatoeba-en-de").string(), std::string("tatoeba-en-de"));
        QVERIFY(QDir::setCurrent(before));
    }

    void whatIsNeitherStaysAsItWasTyped() {
        QCOMPARE(resolveModel("no/such model").string(), std::string("no/such model"));
        QCOMPARE(resolveModel("../tatoeba-en-de").string(), std::string("../tatoeba-en-de"));
    }
};

QTEST_APPLESS_MAIN(ResourceFoldersTest)
#include "resource_folders_test.moc"
