#include "model/files/yaml.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope::files;

namespace {

std::string yamlRefusal(const std::string& text, const YamlLimits& limits = {}) {
    return refusalOf([&] { parseYaml(text, "options.yml", limits); });
}

nlohmann::json json(const char* text) {
    return nlohmann::json::parse(text);
}

} // namespace

class YamlTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatProgramsWriteIsRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("options of Marian")
            << QByteArray("type: transformer\ndim-emb: 512\ntied-embeddings-all: true\n"
                          "label-smoothing: 0.1\ntransformer-preprocess: \"\"\ndim-vocabs:\n"
                          "  - 32000\n  - 32000\ntransformer-tied-layers:\n  []\n")
            << QByteArray(R"({"type": "transformer", "dim-emb": 512, "tied-embeddings-all": true,
                "label-smoothing": 0.1, "transformer-preprocess": "", "dim-vocabs": [32000, 32000],
                "transformer-tied-layers": []})");
        QTest::newRow("a vocabulary")
            << QByteArray("\"</s>\": 0\n<unk>: 1\n\"\\\"\": 2\n'''': 3\n\xe2\x96\x81the: 4\n"
                          "\"\\u2581\\n\": 5\n1990: 6\ntrue: 7\n-: 8\nhttp://x: 9\n")
            << QByteArray("{\"</s>\": 0, \"<unk>\": 1, \"\\\"\": 2, \"'\": 3, \"\\u2581the\": 4, "
                          "\"\\u2581\\n\": 5, \"1990\": 6, \"true\": 7, \"-\": 8, \"http://x\": 9}");
        QTest::newRow("a configuration of JoeyNMT")
            << QByteArray(
                   "---\n# how it was trained\nname: \"tiny\"   # its name\nmodel:\n    encoder:\n"
                   "        type: transformer\n        embeddings: {dim: 12, scale: True}\n"
                   "    tied_softmax: False\ndata:\n    train: ~\n    langs: [de, 'en, us']\n\ntests:\n"
                   "- a: 1\n  b: 2\n-\n  - x\n  - y # last\n- z\n...\n")
            << QByteArray(R"({"name": "tiny", "model": {"encoder": {"type": "transformer",
                "embeddings": {"dim": 12, "scale": true}}, "tied_softmax": false},
                "data": {"train": null, "langs": ["de", "en, us"]},
                "tests": [{"a": 1, "b": 2}, ["x", "y"], "z"]})");
        QTest::newRow("numbers and what is none")
            << QByteArray("[1, -2, +3, 1e-5, .5, 007, 1.2.3, -, 0x10, 99999999999999999999]")
            << QByteArray(R"([1, -2, 3, 1e-5, 0.5, "007", "1.2.3", "-", "0x10", "99999999999999999999"])");
        QTest::newRow("nothing") << QByteArray("# only a comment\n") << QByteArray("null");
        QTest::newRow("Windows") << QByteArray("a: 1\r\nb:\r\n  - 2\r\n")
                                 << QByteArray(R"({"a": 1, "b": [2]})");
    }
    void whatProgramsWriteIsRead() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const auto found = parseYaml(text.toStdString(), "");
        QVERIFY2(found == json(expected), found.dump().c_str());
    }

    void whatIsBeyondIsRefusedByName_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("found");
        QTest::newRow("anchor") << QByteArray("a: &x 1\n") << "an anchor";
        QTest::newRow("alias") << QByteArray("a: 1\nb: *x\n") << "an alias";
        QTest::newRow("tag") << QByteArray("a: !!python/object:os.system x\n") << "a tag";
        QTest::newRow("block scalar") << QByteArray("a: |\n  text\n") << "a block scalar";
        QTest::newRow("complex key") << QByteArray("? a\n: 1\n") << "a complex key";
        QTest::newRow("documents") << QByteArray("a: 1\n---\nb: 2\n") << "a second document";
        QTest::newRow("several lines") << QByteArray("a: one\n  two\n") << "two";
        QTest::newRow("open list") << QByteArray("a: [1,\n  2]\n") << "the end of the line";
        QTest::newRow("open text") << QByteArray("a: \"one\n") << "one";
        QTest::newRow("escape") << QByteArray("a: \"\\q\"\n") << "\\q";
        QTest::newRow("surrogate") << QByteArray("a: \"\\ud800\"\n") << "\\ud800";
        QTest::newRow("twice") << QByteArray("a: 1\na: 2\n") << "\"a\" again";
        QTest::newRow("tabulator") << QByteArray("a:\n\tb: 1\n") << "a tabulator";
        QTest::newRow("indentation") << QByteArray("a: 1\n  b: 2\n") << "b: 2";
        QTest::newRow("two keys") << QByteArray("a: b: 1\n") << "b: 1";
        QTest::newRow("no UTF-8") << QByteArray("a: \xff\n") << "other bytes";
    }
    void whatIsBeyondIsRefusedByName() {
        QFETCH(QByteArray, text);
        QFETCH(QString, found);
        const auto refusal = yamlRefusal(text.toStdString());
        QVERIFY2(contains(refusal, {"options.yml", found.toUtf8().constData()}), refusal.c_str());
    }

    void limitsHold() {
        QVERIFY(contains(yamlRefusal("[[[[1]]]]", {.depth = 3}), {"3 levels"}));
        QVERIFY(contains(yamlRefusal("a:\n b:\n  c:\n   d: 1\n", {.depth = 2}), {"2 levels"}));
        QVERIFY(contains(yamlRefusal("[1, 2, 3, 4]", {.values = 3}), {"3 values"}));
        QVERIFY(contains(yamlRefusal("a: 1", {.bytes = 3}), {"3 bytes"}));
        QVERIFY(!yamlRefusal(std::string(100'000, '[')).empty());
    }
};

HEADSCOPE_TEST(YamlTest)
#include "yaml_test.moc"
