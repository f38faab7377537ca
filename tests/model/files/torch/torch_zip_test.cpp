#include "model/files/torch/torch_zip.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include <cstring>

using namespace foreign_files;
using namespace headscope::files;
using namespace pickle_text;

namespace {

/// Six floats: 0, 1, ... 5.
std::string bytesOfSixFloats() {
    std::string bytes;
    for (int i = 0; i < 6; ++i) {
        const float value = static_cast<float>(i);
        bytes.append(reinterpret_cast<const char*>(&value), 4);
    }
    return bytes;
}

float elementOf(const StoredTensor& tensor, std::initializer_list<std::int64_t> index) {
    std::size_t at = 0, axis = 0;
    for (const std::int64_t i : index)
        at += static_cast<std::size_t>(i * tensor.strides[axis++]);
    float value = 0;
    std::memcpy(&value, tensor.bytes->data() + tensor.offset + 4 * at, 4);
    return value;
}

} // namespace

class TorchZipTest : public QObject {
    Q_OBJECT

    Folder folder_;

    TensorFile read(const std::string& pickle,
                    std::vector<foreign_zip::Entry> records = {{"m/data/0", bytesOfSixFloats()}}) {
        records.insert(records.begin(), {"m/data.pkl", pickle});
        foreign_zip::write(folder_ / "model.pt", records);
        return readTorchZip(folder_ / "model.pt");
    }

    std::string refusalFor(const std::string& pickle, const std::vector<foreign_zip::Entry>& records = {
                                                          {"m/data/0", bytesOfSixFloats()}}) {
        return refusalOf([&] { read(pickle, records); });
    }

    std::vector<std::string> namesIn(const std::string& pickle) {
        std::vector<std::string> names;
        for (const StoredTensor& tensor : read(pickle).tensors)
            names.push_back(tensor.name);
        return names;
    }

    using Names = std::vector<std::string>;

  private Q_SLOTS:
    void aStateDictionaryIsReadInItsOrder() {
        const TensorFile file = read(
            savedStateDict({{"w", {}}, {"b", {.key = "1", .elements = 2, .shape = {2}, .strides = {1}}}}),
            {{"m/data/0", bytesOfSixFloats()},
             {"m/data/1", bytesOfSixFloats().substr(16)},
             {"m/version", "3\n"}});
        QCOMPARE(file.format, std::string("PyTorch (zip)"));
        QCOMPARE(file.tensors.size(), std::size_t{2});
        QCOMPARE(file.tensors[0].name, std::string("w"));
        QCOMPARE(elementOf(file.tensors[0], {1, 2}), 5.0f);
        QCOMPARE(elementOf(file.tensors[1], {0}), 4.0f);
    }

    void tiedTensorsShareTheirBytes() {
        const TensorFile file =
            read(savedStateDict({{"a", {}}, {"b", {}}, {"t", {.shape = {3, 2}, .strides = {1, 3}}}}));
        QVERIFY(shareStorage(file.tensors[0], file.tensors[1]));
        QVERIFY(!shareStorage(file.tensors[0], file.tensors[2]));
        QVERIFY(file.tensors[0].bytes == file.tensors[2].bytes);
        QCOMPARE(elementOf(file.tensors[2], {2, 1}), 5.0f);
    }

    void aViewStartsAtItsOffset() {
        const TensorFile file = read(savedStateDict({{"row", {.shape = {3}, .strides = {1}, .offset = 3}}}));
        QCOMPARE(elementOf(file.tensors[0], {0}), 3.0f);
    }

    void anEmptyTensorAndAScalarAreRead() {
        const TensorFile file =
            read(savedStateDict({{"none", {.shape = {0, 7}, .strides = {7, 1}, .offset = 6}},
                                 {"one", {.shape = {}, .strides = {}, .offset = 5}}}));
        QCOMPARE(file.tensors[0].shape, (std::vector<std::int64_t>{0, 7}));
        QCOMPARE(elementOf(file.tensors[1], {}), 5.0f);
    }

    void compressedRecordsAreReadToo() {
        QCOMPARE(read(savedStateDict({{"w", {}}}), {{"m/data/0", bytesOfSixFloats(), true}}).tensors.size(),
                 std::size_t{1});
    }

    void weightsAreFoundInsideACheckpoint_data() {
        QTest::addColumn<QString>("key");
        for (const char* key :
             {"state_dict", "model_state_dict", "model", "net", "params", "module", "my_net"})
            QTest::newRow(key) << QString(key);
    }
    void weightsAreFoundInsideACheckpoint() {
        QFETCH(QString, key);
        const std::string checkpoint = start + emptyDict + mark + text("loss") +
                                       rebuilt({.shape = {}, .strides = {}}) + text(key.toStdString()) +
                                       stateDict({{"w", {}}}) + text("epoch") + integer(3) + setItems + stop;
        QCOMPARE(namesIn(checkpoint), Names{"w"});
    }

    void aGeneratorBesideTheModelIsAPartOfIt() {
        const auto of = [](const std::string& key) {
            return start + emptyDict + mark + text("model") + stateDict({{"w", {}}}) + text(key) +
                   stateDict({{"0.weight", {}}}) + setItems + stop;
        };
        QCOMPARE(namesIn(of("generator")), (Names{"w", "generator.0.weight"}));
        QCOMPARE(namesIn(of("ema")), Names{"w"});
    }

    void whatAProgramKeepsBesideTheWeightsIsRead() {
        const std::string arguments = global("argparse", "Namespace") + emptyTuple + newObject + emptyDict +
                                      text("act") + text("gelu") + setItem + build;
        const TensorFile file = read(start + emptyDict + mark + text("model") + stateDict({{"w", {}}}) +
                                         text("model_args") + emptyDict + mark + text("n_head") + integer(3) +
                                         text("bias") + newTrue + setItems + text("args") + arguments +
                                         text("betas") + tupleOf(integer(1) + integer(2)) + setItems + stop,
                                     {{"m/data/0", bytesOfSixFloats()}});
        QCOMPARE(file.values, (std::map<std::string, std::string>{{"model_args.n_head", "3"},
                                                                  {"model_args.bias", "true"},
                                                                  {"args.act", "\"gelu\""},
                                                                  {"betas", "[1,2]"}}));
    }

    void aSavedModuleGivesItsParametersAndThoseOfItsParts() {
        const auto module = [](const std::string& parameters, const std::string& modules) {
            return global("net", "Net") + emptyTuple + newObject + emptyDict + mark + text("training") +
                   newTrue + text("_parameters") + orderedDict() + mark + parameters + setItems +
                   text("_buffers") + orderedDict() + text("_modules") + orderedDict() + mark + modules +
                   setItems + setItems + build;
        };
        const std::string inner = module(text("weight") + rebuilt({}) + text("bias") + none, "");
        const std::string outer =
            module(text("scale") + rebuilt({}), text("first") + inner + text("second") + inner);
        QCOMPARE(namesIn(start + outer + stop), (Names{"scale", "first.weight", "second.weight"}));
    }

    void aModuleThatHoldsItselfIsRefused() {
        const std::string module = global("net", "Net") + emptyTuple + newObject + put(0) + emptyDict + mark +
                                   text("a") + get(0) + text("b") + get(0) + setItems + build;
        QVERIFY(contains(refusalFor(start + module + stop), {"at most 100000 modules"}));
    }

    void manyNamesOfOneObjectWithManyArgumentsAreNoMoreWork() {
        std::string arguments, items = text("w") + rebuilt({});
        for (int i = 0; i < 200'000; ++i)
            arguments += none;
        items += text("0") + global("net", "Strange") + tupleOf(arguments) + reduce + put(0);
        for (int i = 1; i < 200'000; ++i)
            items += text(std::to_string(i)) + get(0);
        QCOMPARE(namesIn(start + emptyDict + mark + items + setItems + stop), Names{"w"});
    }

    void valuesThatAreNoTensorsAreLeftOut() {
        const std::string pickle = start + emptyDict + mark + text("w") + rebuilt({}) + text("step") +
                                   integer(3) + text("device") + global("torch", "device") +
                                   tupleOf(text("cpu")) + reduce + text("bad\xff") + none + setItems + stop;
        QCOMPARE(namesIn(pickle), Names{"w"});
    }

    void everyMalformedTensorIsRefusedByItsName_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const Tensor& tensor, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(savedStateDict({{"good", {}}, {"bad", tensor}}))
                                << QString(words);
        };
        constexpr std::int64_t huge = INT64_MAX;
        row("more elements than the record has", {.elements = 1'000'000},
            "should hold 1000000 elements of float32");
        row("fewer elements than the record has", {.elements = 5, .shape = {5}, .strides = {1}},
            "has 24 bytes");
        row("elements that wrap to the record's size", {.elements = (std::int64_t{1} << 62) + 6},
            "should hold");
        row("negative elements", {.elements = -6}, "should hold -6");
        row("another type", {.type = "DoubleStorage"}, "elements of float64");
        row("an unknown type", {.type = "ComplexFloatStorage"}, "torch.ComplexFloatStorage");
        row("a shape beyond the storage", {.shape = {3, 3}}, "leave its storage of 6");
        row("strides beyond the storage", {.strides = {4, 1}}, "leave its storage of 6");
        row("an offset beyond the storage", {.offset = 1}, "leave its storage of 6");
        row("an offset far beyond the storage", {.shape = {0}, .strides = {1}, .offset = 7},
            "leave its storage of 6");
        row("a negative offset", {.offset = -1}, "negative offset");
        row("a negative stride", {.strides = {-3, 1}}, "strides [-3, 1]");
        row("a negative size", {.shape = {-2, 3}}, "shape [-2, 3]");
        row("a shape that overflows", {.shape = {huge, huge}}, "overflows");
        row("strides that overflow", {.shape = {3, 2}, .strides = {huge, 1}}, "overflows");
        row("an end that overflows", {.shape = {1}, .strides = {1}, .offset = huge}, "overflows");
        row("endless repetition", {.shape = {huge}, .strides = {0}}, "repeats a storage");
        row("a missing record", {.key = "5"}, "storage 5 is missing");
        row("a key that is no number", {.key = "../0"}, "\"../0\", which is no number");
        row("an empty key", {.key = ""}, "no number");
    }
    void everyMalformedTensorIsRefusedByItsName() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, words);
        QVERIFY(
            contains(refusalFor(pickle.toStdString()), {"model.pt", "bad: ", words.toUtf8().constData()}));
    }

    void allBadTensorsAreNamedAtOnce() {
        const std::string sparse =
            global("torch._utils", "_rebuild_sparse_tensor") + tupleOf(none + none) + reduce;
        const std::string quantized = global("torch.q", "make") + tupleOf(storage({})) + reduce;
        const std::string refusal = refusalFor(
            start + emptyDict + mark + text("one") + rebuilt({.offset = 9}) + text("two") +
            rebuilt({.key = "8"}) + text("three") + sparse + text("four") + quantized + integer(5) +
            rebuilt({}) + text("six") + rebuilt({}) + text("six") + rebuilt({}) + setItems + stop);
        QVERIFY(
            contains(refusal, {"one: ", "two: ", "three is made by torch._utils._rebuild_sparse_tensor",
                               "four is made by torch.q.make", "under the integer 5", "six is there twice"}));
    }

    void anotherByteOrderIsRefused() {
        const std::vector<foreign_zip::Entry> big = {{"m/data/0", bytesOfSixFloats()},
                                                     {"m/byteorder", "big"}};
        QVERIFY(contains(refusalFor(savedStateDict({{"w", {}}}), big), {"byte order big"}));
        const std::vector<foreign_zip::Entry> little = {{"m/data/0", bytesOfSixFloats()},
                                                        {"m/byteorder", "little"}};
        QCOMPARE(refusalFor(savedStateDict({{"w", {}}}), little), std::string());
    }

    void aCheckpointWithoutWeightsSaysWhatItHolds() {
        QVERIFY(contains(refusalFor(start + emptyDict + text("epoch") + integer(3) + setItem + stop),
                         {"no weights", "state_dict", "a dictionary of 1", "epoch"}));
        QVERIFY(contains(refusalFor(start + rebuilt({}) + stop), {"a tensor of shape [2, 3]"}));
        QVERIFY(contains(refusalFor(start + global("mine", "Model") + stop), {"the object mine.Model"}));
    }

    void bytesAfterThePickleAreRefused() {
        QVERIFY(contains(refusalFor(savedStateDict({{"w", {}}}) + "more"), {"data.pkl", "the end after"}));
    }

    void recordsThatTogetherUnpackToMoreThanTheFileAreRefused() {
        const std::string zeros(1'000'000, '\0');
        const Tensor large{.elements = 250'000, .shape = {250'000}, .strides = {1}};
        QVERIFY(contains(refusalFor(savedStateDict({{"w", large}}), {{"m/data/0", zeros, true}}),
                         {"1000000 bytes in a file of"}));
    }

    void aZipWithoutOnePickleIsRefused() {
        foreign_zip::write(folder_ / "none.zip", {{"m/readme", "x"}});
        QVERIFY(
            contains(refusalOf([&] { readTorchZip(folder_ / "none.zip"); }), {"<folder>/data.pkl", "none"}));
        foreign_zip::write(folder_ / "two.zip", {{"a/data.pkl", "x"}, {"b/data.pkl", "x"}});
        QVERIFY(contains(refusalOf([&] { readTorchZip(folder_ / "two.zip"); }), {"a/data.pkl; b/data.pkl"}));
    }
};

HEADSCOPE_TEST(TorchZipTest)
#include "torch_zip_test.moc"
