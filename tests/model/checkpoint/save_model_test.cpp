#include "model/checkpoint/load_parameters.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/save_model.h"
#include "model/files/file_kind.h"
#include "model/network/positional_encoding.h"
#include "tests/model/checkpoint/toy_checkpoint.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

using namespace foreign_files;
using namespace headscope;
using files::ElementType;

namespace {

struct Model {
    std::unique_ptr<network::Transformer> network;
    checkpoint::Family family;
    checkpoint::Settings settings;

    at::Tensor parameter(const std::string& role) const {
        for (const auto& parameter : network->parameters())
            if (parameter.role == role)
                return parameter.tensor;
        return {};
    }
    void save(const std::filesystem::path& folder, ElementType matrices = ElementType::Float32) const {
        checkpoint::saveModel({.network = *network, .family = family, .settings = settings}, folder,
                              matrices);
    }
};

Model load(const files::TensorFile& file, const checkpoint::Settings& settings) {
    const auto family = toy_checkpoint::annotated();
    auto loaded = checkpoint::loadNetwork(toy_checkpoint::describe(file, settings),
                                          checkpoint::TensorLookup(file, family), family, "toy");
    return {std::move(loaded.network), family, settings};
}

/// Opens a saved folder using only its own files.
Model reopen(const std::filesystem::path& folder) {
    const auto found = checkpoint::findModel(folder);
    const auto family = toy_checkpoint::annotated();
    return load(files::readTensorFile(found.weights),
                checkpoint::readSettings(found, family.settings, family.configKeys));
}

/// The toy with the sinusoids stored as its table.
Model withSinusoids() {
    auto model = load(toy_checkpoint::file(), toy_checkpoint::settings());
    auto config = model.network->config();
    config.positions = network::PositionScheme::SinusoidInterleaved;
    for (const char* role : {"source_positions", "target_positions"})
        model.parameter(role).copy_(network::sinusoidTable(config, config.modelWidth));
    return model;
}

} // namespace

class SaveModelTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wholePrecisionKeepsEveryBit() {
        const Folder folder;
        const auto model = load(toy_checkpoint::file(), toy_checkpoint::settings());
        model.save(folder / "made/by/saving");
        const auto again = reopen(folder / "made/by/saving");
        QCOMPARE(again.network->parameters().size(), model.network->parameters().size());
        for (const auto& [role, tensor] : model.network->parameters())
            QVERIFY2(at::equal(tensor, again.parameter(role)), role.c_str());
        QCOMPARE(again.network->config().encoder.heads, 2);
        QCOMPARE(again.settings.text("mask_fill"), std::string("-1e9"));
    }

    void halfPrecisionRoundsMatricesOnly() {
        const auto model = load(toy_checkpoint::file(), toy_checkpoint::settings());
        for (const auto& [type, stored] :
             {std::pair(at::kHalf, ElementType::Float16), std::pair(at::kBFloat16, ElementType::BFloat16)}) {
            const Folder folder;
            model.save(folder.path(), stored);
            const auto again = reopen(folder.path());
            for (const auto& [role, tensor] : tests::some(model.network->parameters())) {
                const auto wanted = tensor.dim() > 1 ? tensor.to(type).to(at::kFloat) : tensor;
                QVERIFY2(at::equal(wanted, again.parameter(role).to(at::kFloat)), role.c_str());
            }
        }
    }

    void positionsOfAFormulaAreLeftToItInHalfPrecision() {
        const Folder folder;
        const auto model = withSinusoids();
        model.save(folder.path(), ElementType::Float16);
        const auto again = reopen(folder.path());
        QVERIFY(again.network->config().positions == network::PositionScheme::SinusoidInterleaved);
        QCOMPARE(again.network->config().maximumPositions, std::int64_t{9});
        QVERIFY(!again.parameter("source_positions").defined());
        QVERIFY(
            at::equal(again.network->sourceEmbedding().positionTable(), model.parameter("source_positions")));
        model.save(folder / "whole");
        QVERIFY(reopen(folder / "whole").network->config().positions == network::PositionScheme::Table);
    }

    void aTableThatOnlyTheSourceHasFromAFormulaStays() {
        const Folder folder;
        const auto model = withSinusoids();
        model.parameter("target_positions")[3][1] += 0.01;
        model.save(folder.path(), ElementType::Float16);
        QVERIFY(reopen(folder.path()).network->config().positions == network::PositionScheme::Table);
    }

    void tiedTensorsAreStoredOnceAndTiedAgain() {
        const Folder folder;
        auto file = toy_checkpoint::file();
        toy_checkpoint::remove(file, "tgt_embed.0.lut.weight");
        toy_checkpoint::remove(file, "generator.proj.weight");
        toy_checkpoint::named(file, "src_embed.0.lut.weight") =
            toy_checkpoint::tensor("src_embed.0.lut.weight", {7, 4});
        const auto model = load(file, toy_checkpoint::settings());
        model.save(folder.path());
        const auto stored = files::readTensorFile(folder / "model.safetensors");
        QCOMPARE(stored.tensors.size(), file.tensors.size());
        QCOMPARE(stored.metadata.at("generator.proj.weight"), std::string("src_embed.0.lut.weight"));
        const auto again = reopen(folder.path());
        QVERIFY(again.network->config().tiedSourceTarget && again.network->config().tiedGenerator);
    }

    void theTokenizerComesAlong() {
        const Folder folder;
        writeFile(folder / "my.model", "pieces");
        const auto model = load(toy_checkpoint::file(), toy_checkpoint::settings());
        checkpoint::saveModel({.network = *model.network,
                               .family = model.family,
                               .settings = model.settings,
                               .tokenizerFiles = {{"tokenizer", folder / "my.model"}}},
                              folder / "out", ElementType::Float32);
        QCOMPARE(contentOf(folder / "out/my.model"), std::string("pieces"));
        QVERIFY(
            contains(contentOf(folder / "out/config.json"), {"\"tokenizer\": \"my.model\"", "\"heads\": 2"}));
    }

    void aFolderThatCannotBeMadeIsRefused() {
        const Folder folder;
        writeFile(folder / "file", "");
        const auto model = load(toy_checkpoint::file(), toy_checkpoint::settings());
        QVERIFY(
            contains(refusalOf([&] { model.save(folder / "file/inside"); }), {"file/inside", "What to do"}));
    }
};

HEADSCOPE_TEST(SaveModelTest)
#include "save_model_test.moc"
