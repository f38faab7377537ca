#include <QTest>

#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;

/// Compares encoder-decoders with what Hugging Face's `transformers` computed
/// (tests/reference/make_translators.py).
class TranslatorsTest : public QObject {
    Q_OBJECT

    static void eachFolder() {
        QTest::addColumn<QString>("model");
        for (const auto& entry : std::filesystem::directory_iterator(recordings::folder + "hugging-face")) {
            const auto model = "hugging-face/" + entry.path().filename().string();
            if (std::filesystem::exists(entry.path() / "trace.npz") &&
                recordings::read(model + "/trace.npz").contains("cross/weights"))
                QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(model);
        }
    }

  private Q_SLOTS:
    void mapsAndDistributionsAreTheRecordedOnes_data() { eachFolder(); }
    void mapsAndDistributionsAreTheRecordedOnes() {
        QFETCH(QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto recorded = recordings::read(model.toStdString() + "/trace.npz");
        const auto run = engine->run(recordings::requestOf(model.toStdString(), recorded), {}, {});
        const auto worst = recordings::worstOf(*run, recorded);
        QVERIFY2(worst.difference <= 1e-5,
                 qPrintable(QString("%1: %2").arg(worst.array.c_str()).arg(worst.difference)));
        for (const auto* mask : {"encoder_self/mask", "decoder_self/mask", "cross/mask"})
            QVERIFY(std::ranges::equal(recorded.at(mask).bytes, recordings::maskOf(*run, mask), {},
                                       [](std::byte byte) { return std::to_integer<bool>(byte); }));
        QCOMPARE(trace::idsOf(run->next), recordings::integers(recorded, "next_ids"));
        QVERIFY(run->model->ignoredTensors.empty());
    }

    void aConvertedFolderIsTheSameModel_data() { eachFolder(); }
    void aConvertedFolderIsTheSameModel() {
        QFETCH(QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = engines::greedy({5, 9, 14, 22, 2}, 6);
        const auto before = engine->run(request, {}, {});
        const QTemporaryDir folder;
        engine->convert(folder.path().toStdString(), engine::Precision::Float32, {});
        engine->open({.path = folder.path().toStdString()}, {});
        QVERIFY(engines::sameBits(*before, *engine->run(request, {}, {})));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TranslatorsTest)
#include "translators_test.moc"
