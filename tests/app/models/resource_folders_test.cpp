#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/model_series.h"
#include "app/models/resource_folders.h"
#include "tests/registered_test.h"

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

    void theSampleCorpusIsLargeEnoughForARole() {
        auto corpus = sampleCorpus();
        QVERIFY(corpus.size() >= 200);
        std::ranges::sort(corpus);
        QVERIFY(std::ranges::adjacent_find(corpus) == corpus.end());
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

    /// A path wins over a bundled name, and that over the cache.
    void aNameOfTheHubIsLookedForInItsCache() {
        const QTemporaryDir cache, here;
        qputenv("HF_HUB_CACHE", cache.path().toUtf8());
        const QString model = cache.filePath("models--org--name");
        const auto resolved = [](const char* name) {
            return QString::fromStdString(resolveModel(name).string());
        };
        QCOMPARE(resolved("org/name"), model); // which is missing, and is named so
        for (const char* snapshot : {"0123", "4567"})
            QVERIFY(QDir(model).mkpath(QString("snapshots/") + snapshot));
        QVERIFY(QDir(model).mkpath("refs"));
        QFile main(model + "/refs/main");
        QVERIFY(main.open(QIODevice::WriteOnly) && main.write("4567") == 4);
        main.close();
        QCOMPARE(resolved("org/name"), model + "/snapshots/4567");
        QCOMPARE(resolved("gpt2"), QString("gpt2"));
        QVERIFY(QDir(cache.path()).mkpath("models--gpt2/snapshots/89ab"));
        QCOMPARE(resolved("gpt2"), cache.filePath("models--gpt2/snapshots/89ab"));
        QVERIFY(QDir(cache.path()).mkpath("models--tatoeba-en-de-learning--step-0/snapshots/0123"));
        QCOMPARE(resolveModel("tatoeba-en-de-learning/step-0"),
                 resourceFolder() / "models" / "tatoeba-en-de-learning" / "step-0");
        const QString before = QDir::currentPath();
        QVERIFY(QDir(here.path()).mkpath("org/name") && QDir::setCurrent(here.path()));
        QCOMPARE(resolved("org/name"), QString("org/name"));
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(resolved("../name"), QString("../name"));
        qunsetenv("HF_HUB_CACHE");
    }

    void aSeriesOfSnapshotsIsItsLastOne() {
        const QTemporaryDir folder;
        for (const char* name : {"step-900", "step-1000", "step-x", "step-007", "other"})
            QVERIFY(QDir(folder.path()).mkdir(name));
        const std::filesystem::path path = folder.path().toStdString();
        QCOMPARE(resolveModel(path.string()), path / "step-1000");
        QCOMPARE(resolveModel((path / "step-900").string()), path / "step-900");
        QCOMPARE(resolveModel((path / "step-901").string()), path / "step-901"); // which is not there
        const auto series = modelSeries(path / "step-900");
        QVERIFY(series);
        QCOMPARE(series->snapshots.size(), std::size_t{2});
        QCOMPARE(series->snapshots.front().step, std::int64_t{900});
        QCOMPARE(series->at(path / "step-1000" / ""), std::optional<std::size_t>(1));
        QVERIFY(!series->at(path / "other"));
        QVERIFY(!modelSeries(path / "other"));
    }

    void aModelInTheCacheOfTheHubIsItsSnapshot() {
        const QTemporaryDir folder;
        const std::filesystem::path cached = folder.filePath("models--org--name").toStdString();
        std::filesystem::create_directories(cached / "snapshots" / "0123");
        QCOMPARE(resolveModel(cached.string()), cached / "snapshots" / "0123");
        QCOMPARE(resolveModel((cached / "snapshots").string()), cached / "snapshots" / "0123");
        std::filesystem::create_directories(cached / "snapshots" / "4567");
        QCOMPARE(resolveModel(cached.string()), cached); // opening it says that there are several
    }

    void aPathIsNamedAsItIsTyped() {
        QCOMPARE(nameOfModel(bundledModel("tatoeba-en-de")).string(), std::string("tatoeba-en-de"));
        QCOMPARE(nameOfModel(bundledModel("tatoeba-en-de") / "step-3").string(),
                 std::string("tatoeba-en-de/step-3"));
        for (const char* other : {"/some/model", "model", ""})
            QCOMPARE(nameOfModel(other).string(), std::string(other));
    }

    void whatIsNeitherStaysAsItWasTyped() {
        QCOMPARE(resolveModel("no/such model").string(), std::string("no/such model"));
        QCOMPARE(resolveModel("../tatoeba-en-de").string(), std::string("../tatoeba-en-de"));
    }
};

HEADSCOPE_TEST(ResourceFoldersTest)
#include "resource_folders_test.moc"
