#include "model/files/block_values.h"
#include "model/files/element_values.h"
#include "model/files/file_kind.h"
#include "model/files/gguf.h"
#include "model/files/gguf_header.h"
#include "tests/model/files/foreign_files.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <bit>
#include <cstring>
#include <limits>

using namespace foreign_files;
using namespace headscope::files;

namespace {

std::string ggufText(const std::string& text) {
    return littleEndian(text.size(), 8) + text;
}

std::string numberText(float number) {
    return littleEndian(std::bit_cast<std::uint32_t>(number), 4);
}

std::string keyed(const std::string& key, int type, const std::string& value) {
    return ggufText(key) + littleEndian(type, 4) + value;
}

std::string tensorEntry(const std::string& name, const std::vector<std::uint64_t>& shape, int type,
                        std::uint64_t offset) {
    auto text = ggufText(name) + littleEndian(shape.size(), 4);
    for (auto size = shape.rbegin(); size != shape.rend(); ++size)
        text += littleEndian(*size, 8);
    return text + littleEndian(type, 4) + littleEndian(offset, 8);
}

std::string ggufFile(const std::vector<std::string>& keys, const std::vector<std::string>& tensors,
                     const std::string& data, int version = 3, std::size_t alignment = 32) {
    auto file =
        "GGUF" + littleEndian(version, 4) + littleEndian(tensors.size(), 8) + littleEndian(keys.size(), 8);
    for (const auto& part : {keys, tensors})
        for (const auto& text : part)
            file += text;
    file.resize((file.size() + alignment - 1) / alignment * alignment, '\0');
    return file + data;
}

constexpr int f32 = 0, f16 = 1, q80 = 8;

std::string ggufRefusal(const std::string& file) {
    return refusalOf([&] { parseGgufHeader(bytesOf(file), "model.gguf"); });
}

} // namespace

class GgufTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void valuesAndTensorsAreRead() {
        const auto list = littleEndian(8, 4) + littleEndian(2, 8) + ggufText("a") + ggufText("ä");
        const auto file = ggufFile(
            {keyed("general.architecture", 8, ggufText("llama")),
             keyed("llama.block_count", 4, littleEndian(7, 4)), keyed("llama.epsilon", 6, numberText(1e-5F)),
             keyed("tokenizer.ggml.eos_token_id", 4, littleEndian(1, 4)),
             keyed("tokenizer.ggml.eot_token_id", 4, littleEndian(107, 4)), keyed("flag", 7, "\1"),
             keyed("below", 5, littleEndian(-3ULL, 4)), keyed("words", 9, list)},
            {tensorEntry("gain", {8}, f32, 64), tensorEntry("matrix", {2, 32}, q80, 128)},
            std::string(64, 'x') + std::string(32, '\0') + std::string(32, 'x') + std::string(68, '\1'));
        const Folder folder;
        writeFile(folder / "model.gguf", file);
        QVERIFY(fileKind(folder / "model.gguf") == FileKind::Gguf);
        const auto read = readTensorFile(folder / "model.gguf");
        QCOMPARE(read.format, std::string("GGUF (Q8_0, float32)"));
        QCOMPARE(read.values.at("block_count"), std::string("7"));
        QCOMPARE(read.values.at("epsilon"), std::string("1e-05"));
        QCOMPARE(read.values.at("flag"), std::string("true"));
        QCOMPARE(read.values.at("below"), std::string("-3"));
        QCOMPARE(read.values.at("tokenizer.ends"), std::string("[1,107]"));
        QCOMPARE(read.values.at("words"), std::string("[\"a\",\"ä\"]"));
        QCOMPARE(read.tensors.size(), std::size_t{2});
        const auto& matrix = read.tensors[1];
        QVERIFY(matrix.type == ElementType::Q8_0);
        QCOMPARE(matrix.shape, (std::vector<std::int64_t>{2, 32}));
        QVERIFY(matrix.bytes->data()[matrix.offset] == std::byte{1});
    }

    void hostileFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& file, const char* says) {
            QTest::newRow(name) << QByteArray(file.data(), static_cast<qsizetype>(file.size())) << says;
        };
        const auto gain = tensorEntry("gain", {8}, f32, 0);
        const std::string data(32, '\0');
        const auto whole = ggufFile({keyed("k", 4, littleEndian(1, 4))}, {gain}, data);
        row("version 1", ggufFile({}, {gain}, data, 1), "version 1");
        row("big-endian", ggufFile({}, {gain}, data, 3 << 24), "big-endian");
        row("cut in the header", whole.substr(0, 40), "header");
        row("cut in the data", whole.substr(0, whole.size() - 1), "cut short");
        row("2^63 keys", "GGUF" + littleEndian(3, 4) + littleEndian(0, 8) + littleEndian(1ULL << 63, 8),
            "keys");
        row("2^60 tensors", "GGUF" + littleEndian(3, 4) + littleEndian(1ULL << 60, 8) + littleEndian(0, 8),
            "tensors");
        row("a long text", ggufFile({littleEndian(1ULL << 40, 8)}, {}, data), "texts of at most");
        row("no UTF-8", ggufFile({keyed("\xFF", 4, littleEndian(1, 4))}, {}, ""), "UTF-8");
        row("a long list",
            ggufFile({keyed("k", 9, littleEndian(0, 4) + littleEndian(1ULL << 50, 8))}, {}, ""), "values");
        row("lists of lists",
            ggufFile({keyed("k", 9, littleEndian(9, 4) + littleEndian(1, 8) + littleEndian(9, 4))}, {}, ""),
            "type 9");
        row("an unknown type of value", ggufFile({keyed("k", 13, "    ")}, {}, ""), "type 13");
        row("a key twice",
            ggufFile({keyed("k", 4, littleEndian(1, 4)), keyed("k", 4, littleEndian(2, 4))}, {gain}, data),
            "k twice");
        row("a tensor twice", ggufFile({}, {gain, gain}, data), "there twice");
        row("overlapping", ggufFile({}, {gain, tensorEntry("b", {8}, f32, 0)}, data), "overlaps");
        row("not aligned", ggufFile({}, {tensorEntry("a", {2}, f32, 8)}, data), "not aligned");
        row("an alignment of 3", ggufFile({keyed("general.alignment", 4, littleEndian(3, 4))}, {gain}, data),
            "general.alignment");
        row("beyond 2^64", ggufFile({}, {tensorEntry("a", {1ULL << 40, 1ULL << 40}, f32, 0)}, data), "shape");
        row("negative", ggufFile({}, {tensorEntry("a", {~0ULL}, f32, 0)}, data), "shape");
        row("no rows", ggufFile({}, {tensorEntry("a", {0, 8}, f32, 0)}, data), "shape");
        row("an offset beyond 2^64", ggufFile({}, {tensorEntry("a", {8}, f32, ~31ULL)}, data), "cut short");
        row("five dimensions", ggufFile({}, {tensorEntry("a", {1, 1, 1, 1, 8}, f32, 0)}, data), "5 of a");
        row("half a block", ggufFile({}, {tensorEntry("a", {1, 16}, q80, 0)}, data), "32 numbers");
        row("IQ2_XS", ggufFile({}, {tensorEntry("a", {1, 256}, 17, 0)}, data), "type IQ2_XS");
        row("MXFP4", ggufFile({}, {tensorEntry("a", {1, 256}, 39, 0)}, data), "type MXFP4");
        row("an unknown type", ggufFile({}, {tensorEntry("a", {1, 256}, 99, 0)}, data), "type 99");
    }
    void hostileFilesAreRefused() {
        QFETCH(const QByteArray, file);
        QFETCH(const QString, says);
        QVERIFY(contains(ggufRefusal(file.toStdString()), {"model.gguf", says.toUtf8().constData()}));
    }

    void everyCutIsRefused() {
        const auto whole = ggufFile({keyed("k", 8, ggufText("text"))}, {tensorEntry("a", {2, 8}, f16, 0)},
                                    std::string(32, '\0'));
        QVERIFY(ggufRefusal(whole).empty());
        for (std::size_t size = 0; size < whole.size(); ++size)
            QVERIFY(!ggufRefusal(whole.substr(0, size)).empty());
    }

    void aModelMayLieInSeveralFiles() {
        const Folder folder;
        const auto part = [](const char* name) {
            return ggufFile({keyed("split.count", 2, littleEndian(2, 2))}, {tensorEntry(name, {8}, f32, 0)},
                            std::string(32, '\0'));
        };
        const auto first = folder / "m-00001-of-00002.gguf", second = folder / "m-00002-of-00002.gguf";
        writeFile(first, part("a"));
        QVERIFY(contains(refusalOf([&] { readGguf(first); }), {"m-00002-of-00002.gguf"}));
        writeFile(second, part("b"));
        for (const auto& path : {first, second}) {
            const auto read = readGguf(path);
            QCOMPARE(read.tensors.size(), std::size_t{2});
            QCOMPARE(read.tensors[1].name, std::string("b"));
        }
        QVERIFY(arePartsOfOneGguf({second, first}));
        QVERIFY(!arePartsOfOneGguf({first, folder / "other-00002-of-00002.gguf"}));
        writeFile(second, part("a"));
        QVERIFY(contains(refusalOf([&] { readGguf(first); }), {"a in two"}));
    }

    /// Recorded by the program that is the reference of the format.
    void numbersOfBlocksAreExact_data() {
        QTest::addColumn<int>("type");
        for (auto type = static_cast<int>(ElementType::Q4_0); type <= static_cast<int>(ElementType::Q6_K);
             ++type)
            QTest::newRow(std::string(name(static_cast<ElementType>(type))).c_str()) << type;
    }
    void numbersOfBlocksAreExact() {
        QFETCH(const int, type);
        const auto element = static_cast<ElementType>(type);
        const std::string of(name(element));
        std::vector<std::byte> blocks;
        std::vector<float> wanted;
        for (const auto& array : read_npz::readNpz(HEADSCOPE_SOURCE "/tests/reference/gguf/blocks.npz")) {
            if (array.name == of + "/blocks")
                blocks.assign(array.bytes.begin(), array.bytes.end());
            if (array.name == of + "/numbers") {
                wanted.resize(array.bytes.size() / sizeof(float));
                std::memcpy(wanted.data(), array.bytes.data(), array.bytes.size());
            }
        }
        QCOMPARE(blocks.size(), bytesOf(element, wanted.size()));
        std::vector<float> numbers(wanted.size());
        toFloats(element, blocks, numbers);
        QCOMPARE(numbers, wanted);
        QCOMPARE(notFiniteInBlocks(element, blocks.data(), numbers.size()), std::size_t{0});
    }
};

HEADSCOPE_TEST(GgufTest)

#include "gguf_test.moc"
