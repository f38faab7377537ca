#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/checkpoint/family.h"
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

std::string chosen(const std::vector<Family>& families, const std::set<std::string>& names,
                   const std::optional<Settings::Value>& key = std::nullopt) {
    return chooseFamily(families, {.key = key, .names = names}, "weights.pt").key;
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

    void theModelTypeDecidesAndOfOneTypeTheNames() {
        const auto of = [](const std::string& key, const std::string& type, std::vector<std::string> marks) {
            auto family = toy(key, std::move(marks));
            family.modelTypes = {type};
            return family;
        };
        const std::vector<Family> families{of("one", "kind", {"a"}), of("other", "kind", {"b"}),
                                           of("third", "else", {"c"}), toy("untyped", {"d"})};
        const auto chosenBy = [&](const std::string& type, const std::set<std::string>& names) {
            return chooseFamily(families, {.modelType = Settings::Value{type, "config.json"}, .names = names},
                                "weights.pt")
                .key;
        };
        QCOMPARE(chosenBy("kind", {"b"}), std::string("other"));
        QCOMPARE(chosenBy("kind", {"c"}), std::string("one"));
        QCOMPARE(chosenBy("unknown", {"d"}), std::string("untyped"));
        // The names are those of a family, but the program that wrote them is not.
        QVERIFY(contains(refusalOf([&] { chosenBy("unknown", {"c"}); }), {"unknown", "third"}));
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
                         {"weights.pt", "first, second", "2 tensors: x, y", "--family"}));
        QVERIFY(contains(refusalOf([&] {
                             chosen(families, {"a"}, Settings::Value{"bart", "config.json"});
                         }),
                         {"\"bart\"", "config.json", "first, second"}));
        QVERIFY(contains(refusalOf([&] { chosen({}, {"a"}); }), {"no family table was found"}));
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
