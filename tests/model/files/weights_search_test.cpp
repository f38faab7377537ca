#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/files/weights_search.h"

#include <chrono>

using namespace foreign_files;
using namespace headscope::files;

class WeightsSearchTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void severalCheckpointsHaveSizesAndDates() {
        const Folder folder;
        const auto now = std::filesystem::file_time_type::clock::now();
        const auto add = [&](const std::string& name, std::size_t bytes, int hoursAgo) {
            std::filesystem::create_directories(folder.path() / name);
            writeFile(folder.path() / name / "model.safetensors", std::string(bytes, 'x'));
            writeFile(folder.path() / name / "optimizer.pt", std::string(1000, 'x'));
            std::filesystem::last_write_time(folder.path() / name / "model.safetensors",
                                             now - std::chrono::hours(hoursAgo));
        };
        add("checkpoint-1000", 20, 2);
        QVERIFY(severalModels(folder.path()).empty());
        add("checkpoint-500", 10, 1);
        const auto models = severalModels(folder.path());
        QCOMPARE(models.size(), 2u);
        QCOMPARE(models[0].path, folder / "checkpoint-500"); // by the number
        QCOMPARE(models[0].bytes, 10u);
        QCOMPARE(models[1].bytes, 20u);
        QCOMPARE(newest(models).path, folder / "checkpoint-500");
        add("checkpoint-1000", 20, 1);
        QCOMPARE(newest(severalModels(folder.path())).path, folder / "checkpoint-1000");
    }

    void filesOfOneFolderAreSeveralModels() {
        const Folder folder;
        writeFile(folder / "epoch2.pt", "12");
        QVERIFY(severalModels(folder.path()).empty());
        QVERIFY(severalModels(folder / "epoch2.pt").empty());
        QVERIFY(severalModels(folder / "missing").empty());
        writeFile(folder / "epoch10.pt", "123");
        const auto models = severalModels(folder.path());
        QCOMPARE(models.size(), 2u);
        QCOMPARE(models[0].path, folder / "epoch2.pt");
        QCOMPARE(models[1].bytes, 3u);
        writeFile(folder / "model.safetensors", ""); // has the usual name
        QVERIFY(severalModels(folder.path()).empty());
    }

    void partsOfOneModelAreOne() {
        const Folder folder;
        for (const char* name : {"consolidated.00.pth", "consolidated.01.pth"})
            writeFile(folder / name, "");
        QVERIFY(severalModels(folder.path()).empty());
        QCOMPARE(weightsOf(folder.path()), folder / "consolidated.00.pth");
    }
};

HEADSCOPE_TEST(WeightsSearchTest)
#include "weights_search_test.moc"
