#include <QTemporaryDir>
#include <QTest>

#include "app/models/weights_hash.h"
#include "tests/registered_test.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>

using namespace headscope::app;
namespace fs = std::filesystem;

class WeightsHashTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Weights and configuration of an adapter, and the weights of its base.
    void aChangeOfAnyFileOfAnAdapterIsNoticed() {
        const QTemporaryDir folder;
        const fs::path adapter = folder.filePath("adapter").toStdString();
        const fs::path base = folder.filePath("base").toStdString();
        const std::array files{adapter / "adapter_model.safetensors", adapter / "adapter_config.json",
                               base / "model.safetensors"};
        for (const auto& file : files) {
            fs::create_directories(file.parent_path());
            std::ofstream(file) << "weights";
        }
        const auto opened = weightsFile(files[0].string(), base.string());
        QCOMPARE(opened.changed.size(), files.size());
        for (const auto& file : files) {
            const auto before = fs::last_write_time(file);
            fs::last_write_time(file, before + std::chrono::hours(1));
            QVERIFY(weightsHash(opened, {}).starts_with("changed on the disk"));
            fs::last_write_time(file, before);
        }
        QVERIFY(weightsHash(opened, {}).starts_with("sha256:"));
        fs::remove_all(base);
        const auto later = weightsFile(files[0].string(), base.string());
        QVERIFY(later.changed != opened.changed);
    }
};

HEADSCOPE_TEST(WeightsHashTest)
#include "weights_hash_test.moc"
