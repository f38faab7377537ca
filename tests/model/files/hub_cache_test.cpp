#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/files/hub_cache.h"

using namespace foreign_files;
using namespace headscope::files;

class HubCacheTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void onlyNamesOfTheHubAreNames_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isName");
        for (const char* name : {"org/name", "Helsinki-NLP/opus-mt-en-de", "a/b", "_a/b.c_1", "01-ai/Yi-6B"})
            QTest::newRow(name) << name << true;
        for (const char* text : {"",      "/",      "name",   "org/",  "/name",     "org/name/", "org//name",
                                 "a/b/c", "../x",   "x/..",   "./x",   "a/.b",      "a/b.",      "-a/b",
                                 "a/b-",  "a..b/c", "a--b/c", "a/b c", "a/b?c",     "a/b&c=d",   "a/%2e%2e",
                                 "a/b#c", "~/b",    "a\\b/c", "a/b\n", "a/\xc3\xa9"})
            QTest::newRow(qPrintable(QString::fromUtf8(text).toHtmlEscaped() + '.'))
                << QString::fromUtf8(text) << false;
        QTest::newRow("long") << "a/" + QString(97, 'b') << false;
    }
    void onlyNamesOfTheHubAreNames() {
        QFETCH(const QString, text);
        QTEST(isHubName(text.toStdString()), "isName");
    }

    void theCacheIsWhereTheVariablesSay() {
        const char* variables[] = {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"};
        for (const char* name : variables)
            qunsetenv(name);
        qputenv("HOME", "/home/someone");
        const auto folder = [] { return QString::fromStdString(hubFolder("org/a-model").string()); };
        QCOMPARE(folder(), QString("/home/someone/.cache/huggingface/hub/models--org--a-model"));
        qputenv("XDG_CACHE_HOME", "/caches");
        QCOMPARE(folder(), QString("/caches/huggingface/hub/models--org--a-model"));
        qputenv("HF_HOME", "~/hf");
        QCOMPARE(folder(), QString("/home/someone/hf/hub/models--org--a-model"));
        qputenv("HUGGINGFACE_HUB_CACHE", "/older");
        QCOMPARE(folder(), QString("/older/models--org--a-model"));
        qputenv("HF_HUB_CACHE", "/hub");
        QCOMPARE(folder(), QString("/hub/models--org--a-model"));
        for (const char* name : variables)
            qunsetenv(name);
    }

    void aPathInACacheNamesItsModel() {
        QCOMPARE(hubNameOf(hubFolder("org/a-model")), std::string("org/a-model"));
        QCOMPARE(hubNameOf("/hub/models--org--a-model/snapshots/0123"), std::string("org/a-model"));
        QCOMPARE(hubNameOf("/hub/models--gpt2/"), std::string("gpt2"));
        QVERIFY(hubNameOf("/models/org/a-model").empty());
        QVERIFY(howToDownload("/models/org/a-model").empty());
        QVERIFY(contains(howToDownload(hubFolder("org/a-model")), {"hf download org/a-model"}));
    }
};

HEADSCOPE_TEST(HubCacheTest)
#include "hub_cache_test.moc"
