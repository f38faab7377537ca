#include "model/files/file_kind.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>

using namespace headscope;

namespace {

namespace fs = std::filesystem;

const fs::path marian = HEADSCOPE_SOURCE "/tests/reference/marian-tiny";

/// The tiny Marian model with its tensors dealt out to two shards.
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
        const auto whole = engines::with(marian)->run(request, {}, {});
        for (const auto& path : {sharded.path(), sharded.index()}) {
            const auto engine = engines::start();
            const auto summary = engine->open({.path = path}, {});
            QCOMPARE(summary->architecture.front().second, std::string("safetensors, shards: 2"));
            QCOMPARE(summary->name, sharded.path().filename().string());
            QVERIFY(!summary->tokenizer.empty());
            QVERIFY(engines::sameBits(*whole, *engine->run(request, {}, {})));
        }
    }
};

QTEST_APPLESS_MAIN(OpenModelTest)
#include "open_model_test.moc"
