#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/new_file.h"
#include "tests/registered_test.h"

using namespace headscope;

/// Compares models with adapters with what PEFT computed (tests/reference/make_adapters.py).
class AdaptersTest : public QObject {
    Q_OBJECT

    static void eachFolder() {
        QTest::addColumn<QString>("model");
        for (const auto& entry : std::filesystem::directory_iterator(recordings::folder + "adapters"))
            QTest::newRow(entry.path().filename().c_str())
                << QString::fromStdString("adapters/" + entry.path().filename().string());
    }

    /// A copy of an adapter whose configuration has other values.
    static void copy(const char* name, const QTemporaryDir& to, const nlohmann::json& changes) {
        const auto from = recordings::folder + "adapters/" + name;
        std::filesystem::copy(from + "/adapter_model.safetensors", to.path().toStdString());
        auto config = recordings::readJson(std::string("adapters/") + name + "/adapter_config.json");
        config.update(changes);
        std::ofstream(to.filePath("adapter_config.json").toStdString()) << config;
    }

    static trace::Request requestOf(const std::string& name) {
        const auto recorded = recordings::read(name + "/trace.npz");
        auto request = recordings::requestOf(name, recorded);
        if (recorded.contains("source_segments"))
            request.source = trace::SourceIds{.ids = recordings::integers(recorded, "source_ids"),
                                              .segments = recordings::integers(recorded, "source_segments")};
        return request;
    }

    static trace::RefusalText refusalOf(const engine::ModelSource& source) {
        try {
            engines::start()->open(source, {});
        } catch (const trace::Refusal& refusal) {
            return refusal.text();
        }
        return {};
    }

  private Q_SLOTS:
    void mapsAndDistributionsAreThoseOfPeft_data() { eachFolder(); }
    void mapsAndDistributionsAreThoseOfPeft() {
        QFETCH(QString, model);
        const auto name = model.toStdString();
        const auto engine = engines::with(recordings::folder + name);
        const auto recorded = recordings::read(name + "/trace.npz");
        const auto request = requestOf(name);
        const auto run = engine->of(request, trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(recorded, *run));
        QVERIFY(run->model->property("adapter").starts_with("LoRA of rank "));
        // Without the adapter, the base computes something else.
        const auto alone = engines::with(run->model->property("base"));
        QVERIFY(alone->of(request, trace::RunWhat())->model->property("adapter").empty());
        QVERIFY(!engines::sameBits(*run, *alone->of(request, trace::RunWhat())));
    }

    void aConvertedAdapterIsAWholeModel_data() { eachFolder(); }
    void aConvertedAdapterIsAWholeModel() {
        QFETCH(QString, model);
        const auto name = model.toStdString();
        const auto engine = engines::with(recordings::folder + name);
        const auto request = requestOf(name);
        const auto before = engine->of(request, trace::RunWhat());
        const QTemporaryDir folder;
        engine->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto again = engines::with(folder.path().toStdString())->of(request, trace::RunWhat());
        QVERIFY(engines::sameBits(*before, *again));
        QVERIFY(again->model->property("adapter").empty());
    }

    void theAdapterSaysWhatItChanges() {
        const auto gpt2 = engines::start()->open({.path = recordings::folder + "adapters/gpt2-lora"}, {});
        QVERIFY(gpt2->property("adapter").starts_with("LoRA of rank 2 to 3, scale 2 to 3, in "));
        QVERIFY(gpt2->property("base").ends_with("hugging-face/gpt2-tiny"));
        const auto bert = engines::start()->open({.path = recordings::folder + "adapters/bert-lora"}, {});
        QVERIFY(bert->property("adapter").find("scale 2.5, in 4 matrices: query, value") !=
                std::string::npos);
        QCOMPARE(bert->classes, std::int64_t{2});
    }

    void theBaseLiesBesideTheAdapterOrIsNamed() {
        const QTemporaryDir folder;
        copy("llama-lora", folder, {{"base_model_name_or_path", "somebody/llama-tiny"}});
        const std::filesystem::path path = folder.path().toStdString();
        QCOMPARE(refusalOf({.path = path}).found, std::string("somebody/llama-tiny"));
        const auto base = recordings::folder + "hugging-face/llama-tiny";
        QVERIFY(engines::start()->open({.path = path, .settings = {{"base", base}}}, {}));
        QVERIFY(
            refusalOf({.path = path, .settings = {{"base", recordings::folder + "hugging-face/gpt2-tiny"}}})
                .what.find("does not fit") != std::string::npos);
        QVERIFY(!refusalOf({.path = base, .settings = {{"base", base}}}).what.empty());
        const QTemporaryDir around;
        const std::filesystem::path beside = around.filePath("llama-tiny").toStdString();
        std::filesystem::copy(base, beside);
        std::filesystem::copy(path, around.filePath("adapter").toStdString());
        QVERIFY(engines::start()->open({.path = around.filePath("adapter").toStdString()}, {}));
    }

    void kindsThatCannotBeMergedAreNamed_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("named");
        QTest::newRow("kind") << "peft_type"
                              << "\"PREFIX_TUNING\""
                              << "PREFIX_TUNING";
        QTest::newRow("magnitudes") << "use_dora"
                                    << "true"
                                    << "DoRA";
        QTest::newRow("start") << "init_lora_weights"
                               << "\"pissa_niter_4\""
                               << "pissa_niter_4";
        QTest::newRow("tokens") << "trainable_token_indices"
                                << "[3]"
                                << "trained tokens";
    }
    void kindsThatCannotBeMergedAreNamed() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, named);
        const QTemporaryDir folder;
        copy("llama-lora", folder, {{key.toStdString(), nlohmann::json::parse(value.toStdString())}});
        const auto found = refusalOf({.path = folder.path().toStdString()}).found;
        QVERIFY2(found.find(named.toStdString()) != std::string::npos, found.c_str());
    }

    void quantisedModelsAreNamed_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("named");
        QTest::newRow("gptq") << R"({"quant_method": "gptq", "bits": 4})"
                              << "GPTQ, 4 bits";
        QTest::newRow("awq") << R"({"quant_method": "awq", "bits": 4})"
                             << "AWQ, 4 bits";
        QTest::newRow("bitsandbytes") << R"({"quant_method": "bitsandbytes", "load_in_8bit": true})"
                                      << "bitsandbytes, 8 bits";
        QTest::newRow("fp8") << R"({"quant_method": "fp8"})"
                             << "FP8";
        QTest::newRow("other") << R"({"quant_method": "hqq"})"
                               << "hqq";
    }
    void quantisedModelsAreNamed() {
        QFETCH(QString, config);
        QFETCH(QString, named);
        const QTemporaryDir folder;
        const auto llama = recordings::folder + "hugging-face/llama-tiny";
        std::filesystem::copy(llama + "/model.safetensors", folder.path().toStdString());
        auto whole = recordings::readJson("hugging-face/llama-tiny/config.json");
        whole["quantization_config"] = nlohmann::json::parse(config.toStdString());
        std::ofstream(folder.filePath("config.json").toStdString()) << whole;
        QCOMPARE(refusalOf({.path = folder.path().toStdString()}).found, named.toStdString());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, AdaptersTest)
#include "adapters_test.moc"
