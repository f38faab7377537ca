#include "model/checkpoint/load_parameters.h"
#include "tests/model/checkpoint/toy_checkpoint.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

#include <limits>

using namespace foreign_files;
using namespace headscope;
using files::ElementType;
using toy_checkpoint::named;

namespace {

const std::string embedding = "src_embed.0.lut.weight";

/// A network made for the whole toy, out of `file`.
struct Loaded {
    explicit Loaded(const files::TensorFile& file,
                    const files::TensorFile& describedBy = toy_checkpoint::file()) {
        const auto family = toy_checkpoint::annotated();
        auto loaded =
            checkpoint::loadNetwork(toy_checkpoint::describe(describedBy, toy_checkpoint::settings()),
                                    checkpoint::TensorLookup(file, family), family, "toy.pt");
        network = std::move(loaded.network);
        ignored = std::move(loaded.unused);
    }

    at::Tensor parameter(const std::string& role) const {
        for (const auto& parameter : network->parameters())
            if (parameter.role == role)
                return parameter.tensor;
        return {};
    }

    std::unique_ptr<network::Transformer> network;
    std::vector<std::string> ignored;
};

std::string refusalFor(const files::TensorFile& file) {
    return refusalOf([&] { Loaded loaded(file); });
}

/// The values of the toy's source embedding.
at::Tensor original() {
    return Loaded(toy_checkpoint::file()).parameter("source_embedding.weight").clone();
}

/// The file with its source embedding stored in another type.
files::TensorFile fileWith(at::ScalarType type, ElementType stored) {
    auto file = toy_checkpoint::file();
    const auto converted = original().to(type).contiguous();
    const auto* first = static_cast<const std::byte*>(converted.data_ptr());
    named(file, embedding).bytes =
        std::make_shared<const files::FileBytes>(std::span(first, converted.nbytes()));
    named(file, embedding).type = stored;
    return file;
}

} // namespace

class LoadParametersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPartOfAFusedTensorIsItsRows() {
        files::TensorFile file{.format = "toy"};
        file.tensors.push_back(toy_checkpoint::tensor("fused", {6, 4}));
        auto family = toy_checkpoint::annotated();
        for (const char* part : {"0", "1", "2"})
            family.tensors[std::string("part") + part] = std::string("fused[") + part + "/3]";
        family.tensors["fourth"] = "fused[0/4]"; // 6 rows cannot be split into 4
        const checkpoint::TensorLookup lookup(file, family);
        for (std::size_t part = 0; part < 3; ++part) {
            const auto* tensor = lookup.find("part" + std::to_string(part));
            QVERIFY(tensor);
            QCOMPARE(tensor->shape, (std::vector<std::int64_t>{2, 4}));
            QCOMPARE(tensor->offset, part * 2 * 4 * sizeof(float));
        }
        QVERIFY(!lookup.find("fourth"));
        QVERIFY(!lookup.areTied("part0", "part1"));
    }

    void theNameOfAPartSaysWhichOfHowMany() {
        const auto part = checkpoint::partOf("layer.0.qkv[1/3]");
        QCOMPARE(part.name, std::string("layer.0.qkv"));
        QCOMPARE(part.part, std::int64_t(1));
        QCOMPARE(part.parts, std::int64_t(3));
        for (const char* whole : {"weight", "weight[3/3]", "weight[1/3", "weight[1]"}) {
            QCOMPARE(checkpoint::partOf(whole).name, std::string(whole));
            QCOMPARE(checkpoint::partOf(whole).parts, std::int64_t(1));
        }
    }

    void everyParameterIsFilledAndNothingIsLeft() {
        const Loaded loaded(toy_checkpoint::file());
        QVERIFY(loaded.ignored.empty());
        const auto weight = loaded.parameter("source_embedding.weight");
        QVERIFY(at::equal(weight.view({-1}) - weight[0][0], at::arange(20, at::kFloat) / 64));
        QVERIFY((loaded.parameter("source_positions").sizes() == at::IntArrayRef({9, 4})));
    }

    void tensorsThatNobodyUsesAreNamed() {
        auto file = toy_checkpoint::file();
        file.tensors.push_back(toy_checkpoint::tensor("optimizer.step", {1}));
        file.tensors.push_back(toy_checkpoint::tensor("decoder.layers.0.extra", {2, 2}));
        QCOMPARE(Loaded(file).ignored,
                 (std::vector<std::string>{"decoder.layers.0.extra", "optimizer.step"}));
    }

    void weightsThatAreNotFiniteAreNamedWithTheirNumber() {
        auto file = toy_checkpoint::file();
        std::vector<float> values(20, 1);
        values[3] = values[7] = std::numeric_limits<float>::quiet_NaN();
        values[9] = -std::numeric_limits<float>::infinity();
        const auto bytes = std::as_bytes(std::span(values));
        named(file, embedding).bytes =
            std::make_shared<const files::FileBytes>(std::span<const std::byte>(bytes));
        QVERIFY(contains(refusalFor(file), {"src_embed.0.lut.weight has 3 that are NaN or infinite",
                                            "before the training diverged"}));
        values.assign(20, std::numeric_limits<float>::max()); // their sum overflows, the values do not
        const auto large = std::as_bytes(std::span(values));
        named(file, embedding).bytes =
            std::make_shared<const files::FileBytes>(std::span<const std::byte>(large));
        QCOMPARE(refusalFor(file), std::string());
    }

    void allThatIsMissingOrMisshapenIsSaidAtOnce() {
        auto file = toy_checkpoint::file();
        toy_checkpoint::remove(file, "encoder.norm.a_2");
        toy_checkpoint::remove(file, "decoder.layers.0.src_attn.linears.3.bias");
        named(file, "generator.proj.bias") = toy_checkpoint::tensor("generator.proj.bias", {8});
        named(file, "tgt_embed.1.pe") = toy_checkpoint::tensor("tgt_embed.1.pe", {2, 9, 4});
        QVERIFY(contains(refusalFor(file),
                         {"toy.pt", "encoder.norm.a_2 is missing", "src_attn.linears.3.bias is missing",
                          "generator.proj.bias is [8] of float32", "tgt_embed.1.pe is [2, 9, 4]",
                          "generator.proj.bias [7]", "tgt_embed.1.pe [9, 4]"}));
    }

    void matricesKeepTheTypeOfTheirFileUnlessItIsWider() {
        const auto wanted = original();
        const auto load = [](const files::TensorFile& file) {
            return Loaded(file).parameter("source_embedding.weight");
        };
        QVERIFY(at::equal(load(fileWith(at::kHalf, ElementType::Float16)), wanted.to(at::kHalf)));
        QVERIFY(at::equal(load(fileWith(at::kBFloat16, ElementType::BFloat16)), wanted.to(at::kBFloat16)));
        QVERIFY(at::equal(load(fileWith(at::kDouble, ElementType::Float64)), wanted));
    }

    void matricesAreTheBytesOfTheFileAndOutliveIt() {
        const auto wanted = original();
        at::Tensor weight;
        {
            auto file = fileWith(at::kHalf, ElementType::Float16);
            const auto* const bytes = toy_checkpoint::named(file, embedding).bytes->data();
            weight = Loaded(file).parameter("source_embedding.weight");
            QVERIFY(weight.data_ptr() == bytes);
        }
        QVERIFY(at::equal(weight, wanted.to(at::kHalf)));
    }

    void halvesThatAreNotFiniteAreCounted() {
        for (const auto& [type, stored] :
             {std::pair(at::kHalf, ElementType::Float16), std::pair(at::kBFloat16, ElementType::BFloat16)}) {
            auto file = toy_checkpoint::file();
            auto values = at::ones({20});
            values[2] = std::numeric_limits<float>::infinity();
            values[19] = std::numeric_limits<float>::quiet_NaN();
            values = values.to(type);
            named(file, embedding).type = stored;
            named(file, embedding).bytes = std::make_shared<const files::FileBytes>(
                std::span(static_cast<const std::byte*>(values.data_ptr()), values.nbytes()));
            QVERIFY(contains(refusalFor(file), {"src_embed.0.lut.weight has 2 that are NaN or infinite"}));
        }
    }

    void wholeNumbersAreNoWeights() {
        QVERIFY(
            contains(refusalFor(fileWith(at::kInt, ElementType::Int32)), {embedding.c_str(), "of int32"}));
        QVERIFY(contains(refusalFor(fileWith(at::kBool, ElementType::Bool)), {embedding.c_str(), "of bool"}));
    }

    void bytesThatAreNotAlignedAreRead() {
        auto file = toy_checkpoint::file();
        auto& tensor = named(file, embedding);
        std::vector<std::byte> shifted(tensor.bytes->begin(), tensor.bytes->end());
        shifted.insert(shifted.begin(), 3, std::byte{});
        tensor.bytes = std::make_shared<const files::FileBytes>(shifted);
        tensor.offset = 3;
        QVERIFY(at::equal(Loaded(file).parameter("source_embedding.weight"), original()));
    }

    void viewsWithStridesAreRead() {
        auto file = toy_checkpoint::file();
        auto& tensor = named(file, embedding);
        const auto transposed = original().t().contiguous();
        const auto* first = static_cast<const std::byte*>(transposed.data_ptr());
        tensor.bytes = std::make_shared<const files::FileBytes>(std::span(first, transposed.nbytes()));
        tensor.strides = {1, 5};
        QVERIFY(at::equal(Loaded(file).parameter("source_embedding.weight"), original()));
        std::vector<std::byte> shifted(tensor.bytes->begin(), tensor.bytes->end());
        shifted.insert(shifted.begin(), 1, std::byte{});
        tensor.bytes = std::make_shared<const files::FileBytes>(shifted);
        tensor.offset = 1;
        QVERIFY(at::equal(Loaded(file).parameter("source_embedding.weight"), original()));
    }

    void tiedTensorsAreReadUnderAnyOfTheirNames() {
        const std::vector<std::string> names{embedding, "tgt_embed.0.lut.weight", "generator.proj.weight"};
        for (const auto& kept : names) {
            auto file = toy_checkpoint::file();
            for (const auto& name : names)
                toy_checkpoint::remove(file, name);
            file.tensors.push_back(toy_checkpoint::tensor(kept, {7, 4}, 3));
            const Loaded loaded(file, file);
            QVERIFY(loaded.ignored.empty());
            QVERIFY(loaded.network->config().tiedSourceTarget && loaded.network->config().tiedGenerator);
            QCOMPARE(loaded.parameter("source_embedding.weight")[0][0].item<float>(), 3.f);
        }
    }

    /// A cut inside a block would be read and written beyond its ends.
    void aVectorInBlocksIsNotDivided() {
        const std::string table = HEADSCOPE_SOURCE "/resources/families/gguf-phi2-fused.json";
        const auto family = checkpoint::parseFamily(files::readText(table), table);
        files::TensorFile file;
        for (const auto& shape : {std::vector<std::int64_t>{256}, {256, 256}}) {
            auto tensor = toy_checkpoint::tensor("blk.0.attn_qkv.bias", shape);
            tensor.type = ElementType::Q6_K;
            file.tensors = {tensor};
            const checkpoint::TensorLookup tensors(file, family, {.heads = {.queries = 2, .keyValues = 1}});
            QCOMPARE(tensors.find("decoder.0.self.key.bias") != nullptr, shape.size() == 2);
        }
    }

    void aNameThatWasDroppedAsADuplicateStandsInTheMetadata() {
        auto file = toy_checkpoint::file();
        toy_checkpoint::remove(file, "generator.proj.weight");
        file.metadata["generator.proj.weight"] = "tgt_embed.0.lut.weight";
        const Loaded loaded(file, file);
        QVERIFY(loaded.network->config().tiedGenerator && !loaded.network->config().tiedSourceTarget);
        QVERIFY(loaded.ignored.empty());
    }
};

HEADSCOPE_TEST(LoadParametersTest)
#include "load_parameters_test.moc"
