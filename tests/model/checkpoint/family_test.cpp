#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/checkpoint/family.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/network_prefix.h"
#include "model/files/file_kind.h"
#include "model/files/read_file.h"

using namespace foreign_files;
using namespace headscope::checkpoint;

namespace {

constexpr const char* table = R"({"family": "toy", "title": "A toy", "recognised_by": ["embed", "layers.0.q"],
    "tensors": {"source_embedding.weight": "embed", "encoder.{layer}.self.query.weight": "layers.{layer}.q"},
    "tied": ["source_embedding.weight"], "settings": {"norm": "pre", "norm_eps": 1e-6, "final_norm": true},
    "config": {"heads": ["n_heads", "num_heads"]}})";

Family toy(const std::string& key, std::vector<std::string> marks) {
    return {.key = key, .title = key, .recognisedBy = std::move(marks)};
}

TensorShapes shapesOf(const std::set<std::string>& names) {
    TensorShapes shapes;
    for (const auto& name : names)
        shapes[name] = {2, 2};
    return shapes;
}

std::string chosen(const std::vector<Family>& families, const std::set<std::string>& names,
                   const std::optional<Settings::Value>& key = std::nullopt) {
    return chooseFamily(families, {.key = key, .shapes = shapesOf(names)}, "weights.pt").key;
}

std::vector<Family> bundled() {
    std::vector<headscope::trace::RefusalText> broken;
    return loadFamilies({HEADSCOPE_SOURCE "/resources/families"}, broken);
}

} // namespace

class FamilyTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aTableIsRead() {
        const Family family = parseFamily(table, "toy.json");
        QCOMPARE(family.key, std::string("toy"));
        QCOMPARE(family.title, std::string("A toy"));
        QCOMPARE(*family.tensorName("source_embedding.weight"), std::string("embed"));
        QCOMPARE(*family.tensorName("encoder.12.self.query.weight"), std::string("layers.12.q"));
        QVERIFY(!family.tensorName("encoder.0.self.key.weight").has_value());
        QVERIFY(!family.tensorName("generator").has_value());
        QCOMPARE(family.settings.at("norm_eps"), std::string("1e-06"));
        QCOMPARE(family.settings.at("final_norm"), std::string("true"));
        QCOMPARE(family.configKeys.at("heads"), (std::vector<std::string>{"n_heads", "num_heads"}));
    }

    void modulesAreShortForTheirTensors() {
        const Family family = parseFamily(R"({"family": "toy", "norm_endings": ["a", "b"],
            "modules": {"encoder.{layer}.self.query": "l.{layer}.q", "encoder.{layer}.self.key": "l.{layer}.k",
                        "encoder.{layer}.norm_self": "l.{layer}.n", "encoder.final_norm": "n"},
            "no_bias": ["encoder.{layer}.self.key"], "optional": ["*.bias"]})",
                                          "toy.json");
        QCOMPARE(*family.tensorName("encoder.1.self.query.weight"), std::string("l.1.q.weight"));
        QCOMPARE(*family.tensorName("encoder.1.self.query.bias"), std::string("l.1.q.bias"));
        QVERIFY(!family.tensorName("encoder.1.self.key.bias"));
        QCOMPARE(*family.tensorName("encoder.1.norm_self.gain"), std::string("l.1.n.a"));
        QCOMPARE(*family.tensorName("encoder.final_norm.bias"), std::string("n.b"));
        QVERIFY(family.isOptional("encoder.1.self.query.bias"));
        QVERIFY(!family.isOptional("encoder.1.self.query.weight"));
    }

    void expertsAreCountedWithinTheirLayer() {
        const Family family = parseFamily(R"({"family": "toy",
            "modules": {"decoder.{layer}.feed_forward.experts.{expert}.in": "l.{layer}.experts.{expert}.w",
                        "decoder.{layer}.feed_forward.router": "l.{layer}.g"},
            "no_bias": ["decoder.{layer}.feed_forward.experts.{expert}.in"]})",
                                          "toy.json");
        QCOMPARE(*family.tensorName("decoder.3.feed_forward.experts.12.in.weight"),
                 std::string("l.3.experts.12.w.weight"));
        QVERIFY(!family.tensorName("decoder.3.feed_forward.experts.12.in.bias"));
        QVERIFY(!family.tensorName("decoder.3.feed_forward.experts.12.out.weight"));
        QCOMPARE(*family.tensorName("decoder.3.feed_forward.router.weight"), std::string("l.3.g.weight"));
        QVERIFY(family.knows("l.5.experts.7.w.weight") && !family.knows("l.5.others.7.w.weight"));
    }

    void theModelTypeDecidesAndOfOneTypeTheNames() {
        const auto of = [](const std::string& key, const std::string& type, std::vector<std::string> marks) {
            auto family = toy(key, std::move(marks));
            family.modelTypes = {type};
            return family;
        };
        const std::vector<Family> families{of("one", "kind", {"a"}), of("other", "kind", {"b"}),
                                           of("third", "else", {"c"}), toy("untyped", {"d"})};
        const auto chosenBy = [&](const std::string& type, const std::set<std::string>& names) {
            return chooseFamily(
                       families,
                       {.modelType = Settings::Value{type, "config.json"}, .shapes = shapesOf(names)},
                       "weights.pt")
                .key;
        };
        QCOMPARE(chosenBy("kind", {"b"}), std::string("other"));
        QCOMPARE(chosenBy("kind", {"c"}), std::string("one"));
        QCOMPARE(chosenBy("unknown", {"d"}), std::string("untyped"));
        // The names are those of a family, but the program that wrote them is not.
        QVERIFY(contains(refusalOf([&] { chosenBy("unknown", {"c"}); }), {"model_type \"unknown\""}));
        QCOMPARE(chosen(families, {"c"}), std::string("third"));
    }

    void aBadTableIsRefusedByName_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("found");
        QTest::newRow("no JSON") << "{"
                                 << "";
        QTest::newRow("a list") << "[]"
                                << "array";
        QTest::newRow("no tensors") << R"({"family": "x"})"
                                    << "tensors";
        QTest::newRow("tensors a list") << R"({"family": "x", "tensors": []})"
                                        << "\"tensors\"";
        QTest::newRow("a tensor's name a list") << R"({"family": "x", "tensors": {"role": []}})"
                                                << "\"role\"";
        QTest::newRow("family null") << R"({"family": null, "tensors": {}})"
                                     << "\"family\"";
        QTest::newRow("marks a text") << R"({"family": "x", "tensors": {}, "recognised_by": "y"})"
                                      << "\"recognised_by\"";
        QTest::newRow("settings a list") << R"({"family": "x", "tensors": {}, "settings": []})"
                                         << "\"settings\"";
        QTest::newRow("unknown setting") << R"({"family": "x", "tensors": {}, "settings": {"haeds": 4}})"
                                         << "haeds";
        QTest::newRow("config a text") << R"({"family": "x", "tensors": {}, "config": "y"})"
                                       << "\"config\"";
        QTest::newRow("unknown setting in config")
            << R"({"family": "x", "tensors": {}, "config": {"haeds": []}})"
            << "haeds";
        QTest::newRow("config key no list") << R"({"family": "x", "tensors": {}, "config": {"heads": "n"}})"
                                            << "\"heads\"";
        QTest::newRow("deep") << QString("[").repeated(100'000) << "";
    }
    void aBadTableIsRefusedByName() {
        QFETCH(const QString, json);
        QFETCH(const QString, found);
        const std::string refusal = refusalOf([&] { parseFamily(json.toStdString(), "my/toy.json"); });
        QVERIFY(contains(refusal, {"my/toy.json", found.toUtf8().constData()}));
    }

    void laterFoldersWinAndMissingOnesAreSkipped() {
        const Folder one, two;
        writeFile(one / "a.json", table);
        writeFile(one / "b.json", R"({"family": "other", "tensors": {}})");
        writeFile(one / "notes.txt", "no table");
        writeFile(two / "mine.json", R"({"family": "toy", "title": "Mine", "tensors": {}})");
        writeFile(two / "broken.json", "{");
        std::vector<headscope::trace::RefusalText> broken;
        const auto families = loadFamilies({one.path(), "/nowhere/at/all", two.path()}, broken);
        QCOMPARE(broken.size(), std::size_t{1}); // the others are loaded
        QVERIFY(broken.front().where.find("broken.json") != std::string::npos);
        QCOMPARE(families.size(), std::size_t{2});
        QCOMPARE(families[0].key, std::string("other"));
        QCOMPARE(families[1].title, std::string("Mine"));
        QVERIFY(loadFamilies({}, broken).empty());
    }

    void theFamilyWhoseMarksAreAllThereIsChosen() {
        const std::vector<Family> families{toy("first", {"a", "b"}), toy("second", {"a", "c"}),
                                           toy("named", {})};
        QCOMPARE(chosen(families, {"a", "c", "x"}), std::string("second"));
        QCOMPARE(chosen(families, {"a", "b", "c"}), std::string("first"));
        QCOMPARE(chosen(families, {"x"}, Settings::Value{"named", "--family"}), std::string("named"));
        QCOMPARE(chosen(families, {"a", "b"}, Settings::Value{"second", "--family"}), std::string("second"));
    }

    void whatBelongsToNoFamilyIsRefusedWithWhatThereIs() {
        const std::vector<Family> families{toy("first", {"a"}), toy("second", {})};
        QVERIFY(contains(refusalOf([&] {
                             chosen(families, {"x", "y"});
                         }),
                         {"weights.pt", "2 tensors; no family is near", "unknown: x, y", "--family"}));
        QVERIFY(contains(refusalOf([&] {
                             chosen(families, {"a"}, Settings::Value{"bart", "config.json"});
                         }),
                         {"\"bart\"", "config.json", "first, second"}));
        QVERIFY(contains(refusalOf([&] { chosen({}, {"a"}); }), {"1 tensor; no family is near"}));
        QVERIFY(contains(refusalOf([&] {
                             chosen({}, {"a"}, Settings::Value{"bart", "config.json"});
                         }),
                         {"no family table was found"}));
    }

    void theNearestFamilyIsNamedWithWhatDiffers() {
        const auto families = bundled();
        const auto refusal = refusalOf([&] {
            chosen(families, {"my.h.0.attn.c_attn.weight", "my.h.0.attn.c_proj.weight", "my.h.0.ln_1.weight",
                              "my.wte.weight", "my.h.0.mlp.gate.weight", "loss.weight"});
        });
        QVERIFY(contains(refusal, {"nearest family: gpt2, which knows 4 of their names behind \"my.\"",
                                   "missing: ln_f.bias, ln_f.weight, ",
                                   "more; unknown: loss.weight, my.h.0.mlp.gate.weight"}));
    }

    void whatEveryNameOfTheNetworkBeginsWithIsTakenOff_data() {
        QTest::addColumn<QString>("prefix");
        for (const char* prefix : {"", "module.", "_orig_mod.", "model.", "net.", "module._orig_mod.",
                                   "_orig_mod.module.", "my_lightning.net.0."})
            QTest::newRow(prefix) << QString(prefix);
    }
    void whatEveryNameOfTheNetworkBeginsWithIsTakenOff() {
        QFETCH(const QString, prefix);
        const auto families = bundled();
        for (const char* folder :
             {"pi-tau-tiny", "torch-transformer-tiny-post-relu", "torch-encoder-tiny", "nyu-classifier-tiny",
              "hugging-face/llama-tiny", "hugging-face/bart-tiny", "hugging-face/bert-tiny-masked"}) {
            const std::filesystem::path place = HEADSCOPE_SOURCE "/tests/reference";
            const auto file = headscope::files::readTensorFile(findModel(place / folder).weights);
            TensorShapes plain, wrapped;
            for (const auto& tensor : file.tensors) {
                plain[tensor.name] = tensor.shape;
                wrapped[prefix.toStdString() + tensor.name] = tensor.shape;
            }
            wrapped["loss.weight"] = {1};
            const auto& family = chooseFamily(families, {.shapes = wrapped}, "weights.pt");
            QCOMPARE(family.key, chooseFamily(families, {.shapes = plain}, "weights.pt").key);
            const auto found = networkPrefix(wrapped, family);
            QVERIFY2(networkPrefix(plain, family).text.empty(), folder);
            QCOMPARE(found.text, prefix.toStdString());
            QVERIFY(found.equal.empty());
        }
    }

    void aNetworkAndItsMovingAverageAreToldApartByAPerson() {
        const std::vector<Family> families{parseFamily(table, "toy.json")};
        const TensorShapes both{{"net.embed", {2, 2}},
                                {"net.layers.0.q", {2, 2}},
                                {"ema.embed", {2, 2}},
                                {"ema.layers.0.q", {2, 2}}};
        const auto& family = chooseFamily(families, {.shapes = both}, "weights.pt");
        QVERIFY(contains(refusalOf([&] { refuseSeveral(networkPrefix(both, family), "weights.pt"); }),
                         {"weights.pt", "several networks", "\"ema.\", \"net.\"", "\"prefix\": \"ema.\""}));
    }

    void shapesTellATransposedMatrix() {
        const auto families = bundled();
        const auto of = [&](std::int64_t rows, std::int64_t columns) {
            TensorShapes shapes{{"transformer.h.0.attn.c_attn.weight", {rows, columns}},
                                {"transformer.h.0.mlp.c_fc.weight", {rows, columns}},
                                {"transformer.h.0.ln_1.weight", {8}},
                                {"transformer.wpe.weight", {4, 8}}};
            return chooseFamily(families, {.shapes = shapes}, "weights.pt").key;
        };
        QCOMPARE(of(8, 24), std::string("gpt2"));
        QCOMPARE(of(24, 8), std::string("nanogpt"));
        QVERIFY(contains(refusalOf([&] { of(8, 8); }), {"nearest family: gpt2"}));
    }

    void theTablesOfTheProgramAreSound() {
        std::vector<headscope::trace::RefusalText> broken;
        const auto families = loadFamilies({HEADSCOPE_SOURCE "/resources/families"}, broken);
        QVERIFY(broken.empty());
        QVERIFY(!families.empty());
        for (const auto& family : families)
            QVERIFY2((!family.recognisedBy.empty() || !family.modelTypes.empty()) && !family.tensors.empty(),
                     family.key.c_str());
    }
};

HEADSCOPE_TEST(FamilyTest)
#include "family_test.moc"
