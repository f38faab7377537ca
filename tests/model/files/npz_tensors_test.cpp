#include "model/files/npz_tensors.h"

#include "model/files/npy.h"
#include "model/trace/refusal.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/registered_test.h"

#include <QTemporaryDir>

using namespace foreign_files;
using namespace headscope::files;

namespace {

foreign_zip::Entry floats(const std::string& name, std::vector<std::int64_t> shape, std::size_t count) {
    const std::vector<float> values(count, 0.5F);
    return {.name = name + ".npy", .content = npyBytes(floatArray(name, std::move(shape), values))};
}

foreign_zip::Entry options(const std::string& yaml) {
    std::vector<std::byte> bytes;
    for (const char c : yaml + '\0')
        bytes.push_back(static_cast<std::byte>(c));
    return {.name = "special:model.yml.npy",
            .content = npyBytes({.name = "",
                                 .type = ElementType::Int8,
                                 .shape = {static_cast<std::int64_t>(bytes.size())},
                                 .bytes = bytes})};
}

float lastOf(const StoredTensor& tensor) {
    float value = 0;
    std::memcpy(&value, tensor.bytes->data() + tensor.bytes->size() - sizeof value, sizeof value);
    return value;
}

} // namespace

class NpzTensorsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    TensorFile read(const std::vector<foreign_zip::Entry>& entries) {
        const std::filesystem::path path = folder_.filePath("model.npz").toStdString();
        foreign_zip::write(path, entries);
        return readNpzTensors(path);
    }

  private Q_SLOTS:
    void everyArrayIsATensor() {
        const auto file = read({floats("a.weight", {2, 3}, 6), {.name = "note.txt", .content = "x"}});
        QCOMPARE(file.tensors.size(), std::size_t{1});
        QCOMPARE(file.tensors[0].name, std::string("a.weight"));
        QVERIFY((file.tensors[0].shape == std::vector<std::int64_t>{2, 3}));
        QVERIFY(file.values.empty());
    }

    void arraysOfNoModelAreRefusedByTheirNames() {
        try {
            read({floats("layer0", {1, 2, 3, 3}, 18)});
            QFAIL("not refused");
        } catch (const headscope::trace::Refusal& refusal) {
            QCOMPARE(refusal.text().found, std::string("layer0"));
            QVERIFY(refusal.text().expected.find("encoder_self/weights") != std::string::npos);
        }
    }

    void optionsOfMarianAreValues() {
        const auto file =
            read({floats("Wemb", {5, 2}, 10),
                  options("type: transformer\ntransformer-preprocess: dn\ntransformer-postprocess: da\n")});
        QCOMPARE(file.values.at("type"), std::string("\"transformer\""));
        QCOMPARE(file.values.at("norms"), std::string("\"n|a\""));
        QCOMPARE(file.tensors.size(), std::size_t{1});
    }

    void theFirstInputOfMarianIsARowOfZerosThatIsNeverChosen() {
        const auto file = read({floats("Wemb", {5, 2}, 10), floats("decoder_ff_logit_out_b", {1, 5}, 5),
                                floats("other", {5, 2}, 10), options("type: transformer\n")});
        QCOMPARE(file.values.at("start_id"), std::string("5"));
        QVERIFY((file.tensors[0].shape == std::vector<std::int64_t>{6, 2}));
        QCOMPARE(lastOf(file.tensors[0]), 0.0F);
        QVERIFY((file.tensors[1].shape == std::vector<std::int64_t>{1, 6}));
        QVERIFY(lastOf(file.tensors[1]) < -100);
        QVERIFY((file.tensors[2].shape == std::vector<std::int64_t>{5, 2}));
    }

    void onlyVocabulariesThatLieBesideAreNamed() {
        QFile(folder_.filePath("vocab.yml")).open(QIODevice::WriteOnly);
        const auto file =
            read({floats("Wemb", {5, 2}, 10), options("vocabs: [/data/vocab.yml, /data/other.yml]\n")});
        QCOMPARE(file.values.at("vocabularies.0"), std::string("\"vocab.yml\""));
        QVERIFY(!file.values.contains("vocabularies.1"));
    }

    void whatIsNoArrayIsRefused() {
        QVERIFY(contains(refusalOf([&] { read({{.name = "a.weight.npy", .content = "x"}}); }),
                         {"model.npz", "a.weight.npy"}));
        QVERIFY(contains(refusalOf([&] { read({options("type: &anchor x\n")}); }),
                         {"special:model.yml, line 1", "an anchor"}));
    }
};

HEADSCOPE_TEST(NpzTensorsTest)
#include "npz_tensors_test.moc"
