#include "model/files/file_kind.h"
#include "model/files/mapped_file.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <fstream>
#include <stop_token>
#include <thread>

using namespace headscope;

namespace {

namespace fs = std::filesystem;

const fs::path marian = HEADSCOPE_SOURCE "/tests/reference/marian-tiny";

/// The tiny Marian model, its tensors split into two shards.
class ShardedMarian {
  public:
    ShardedMarian() {
        for (const char* name : {"config.json", "generation_config.json", "source.spm", "target.spm",
                                 "tokenizer_config.json", "vocab.json"})
            fs::copy_file(marian / name, path() / name);
        const auto whole = files::readTensorFile(marian / "model.safetensors");
        std::array<std::vector<files::TensorToSave>, 2> shards;
        nlohmann::json map;
        for (std::size_t i = 0; i < whole.tensors.size(); ++i) {
            const auto& tensor = whole.tensors[i];
            const auto bytes = files::checkedProduct(tensor.shape).value() * files::sizeOf(tensor.type);
            shards[i % 2].push_back(
                {tensor.name, tensor.type, tensor.shape, {tensor.bytes->data() + tensor.offset, bytes}});
            map[tensor.name] = shardNames[i % 2];
        }
        for (std::size_t i = 0; i < 2; ++i)
            files::saveSafetensors(path() / shardNames[i], shards[i], whole.metadata);
        std::ofstream(index()) << nlohmann::json{{"metadata", {{"total_size", 1}}}, {"weight_map", map}};
    }

    fs::path path() const { return folder_.path().toStdString(); }
    fs::path index() const { return path() / "model.safetensors.index.json"; }

  private:
    static constexpr std::array shardNames{"model-00001-of-00002.safetensors",
                                           "model-00002-of-00002.safetensors"};
    QTemporaryDir folder_;
};

} // namespace

class OpenModelTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aShardedModelIsTheWholeOne() {
        const ShardedMarian sharded;
        const auto request = engines::greedy({5, 6, 7, 0});
        const auto whole = engines::with(marian)->of(request, trace::RunWhat());
        for (const auto& path : {sharded.path(), sharded.index()}) {
            const auto engine = engines::start();
            const auto summary = engine->open({.path = path}, {});
            QCOMPARE(summary->architecture.front().second, std::string("safetensors, shards: 2"));
            QCOMPARE(summary->name, sharded.path().filename().string());
            QVERIFY(!summary->tokenizer.empty());
            QVERIFY(engines::sameBits(*whole, *engine->of(request, trace::RunWhat())));
        }
    }

    void aConfigurationWithoutWeightsOpensWithRandomOnes() {
        const QTemporaryDir folder;
        const fs::path config = folder.filePath("any.json").toStdString();
        std::ofstream(config) << R"({"encoder_layers": 1, "decoder_layers": 2, "model_width": 8, "heads": 2,
            "source_vocabulary_size": 9, "start_id": 2, "end_id": 3, "hedas": 4})";
        const auto engine = engines::start();
        const auto summary = engine->open({.path = config, .randomSeed = 7}, {});
        QCOMPARE(summary->decoderLayers, 2);
        QCOMPARE(summary->ignoredKeys, std::vector<std::string>{"hedas"});
        const auto request = engines::greedy({4, 5, 6, 3});
        const auto run = engine->of(request, trace::RunWhat());
        QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
        engine->convert(folder.filePath("out").toStdString(), files::ElementType::Float32, {});
        const auto again = engines::with(folder.filePath("out").toStdString());
        QVERIFY(engines::sameBits(*run, *again->of(request, trace::RunWhat())));
    }

    /// The output of convert describes the whole architecture, whatever program the model came from.
    void everyConvertedModelHasARandomTwin_data() {
        QTest::addColumn<QString>("model");
        for (const auto& folder : fs::directory_iterator(marian.parent_path()))
            if (fs::exists(folder.path() / "trace.npz"))
                QTest::newRow(folder.path().filename().c_str()) << QString(folder.path().c_str());
    }
    void everyConvertedModelHasARandomTwin() {
        QFETCH(const QString, model);
        const QTemporaryDir folder;
        const auto original = engines::start();
        const auto summary = original->open({.path = model.toStdString()}, {});
        original->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto twin = engines::start()->open(
            {.path = folder.filePath("config.json").toStdString(), .randomSeed = 1}, {});
        QCOMPARE(twin->parameters, summary->parameters);
        QCOMPARE(twin->bytes, summary->bytes);
        QCOMPARE(twin->tokenizer, summary->tokenizer);
        QVERIFY(std::equal(twin->architecture.begin() + 1, twin->architecture.end(),
                           summary->architecture.begin() + 1, summary->architecture.end()));
        QVERIFY(twin->ignoredKeys.empty());
    }

    void aModelLargerThanTheMemoryIsRefusedBeforeItIsMade() {
        const QTemporaryDir folder;
        const fs::path config = folder.filePath("huge.json").toStdString();
        std::ofstream(config) << R"({"encoder_layers": 1024, "model_width": 1048576, "heads": 1024,
            "source_vocabulary_size": 2000000000})";
        try {
            engines::start()->open({.path = config, .randomSeed = 7}, {});
            QFAIL("it was made");
        } catch (const trace::Refusal& refusal) {
            QVERIFY2(refusal.text().what.find("memory") != std::string::npos, refusal.what());
            QVERIFY(refusal.text().where.find("huge.json") != std::string::npos);
        }
    }

    void aStopThatWasAskedForBeforeOpensNothing() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(engines::start()->open({.path = marian}, stop.get_token()),
                                 trace::Cancelled);
    }

    /// Nearly the largest file that is read and not mapped, all of it before anything else could stop the
    /// opening.
    void aStopEndsTheReadingOfOneLargeFile() {
        constexpr std::uint64_t size = files::mappedFrom - (1 << 20);
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("large.safetensors").toStdString();
        const std::string header = R"({"w":{"dtype":"U8","shape":[)" + std::to_string(size) +
                                   R"(],"data_offsets":[0,)" + std::to_string(size) + "]}}";
        const auto length = static_cast<std::uint64_t>(header.size());
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), sizeof length) << header;
        file.close();
        fs::resize_file(path, sizeof length + header.size() + size);
        const auto engine = engines::start();
        std::stop_source stop;
        const std::jthread person([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(engine->open({.path = path}, stop.get_token()), trace::Cancelled);
    }
};

HEADSCOPE_TEST(OpenModelTest)
#include "open_model_test.moc"
