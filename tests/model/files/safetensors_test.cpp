#include "model/files/safetensors.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <cstring>

using namespace foreign_files;
using namespace headscope::files;

namespace {

std::string fileOf(const std::string& header, const std::string& data) {
    return littleEndian(header.size(), 8) + header + data;
}

TensorFile parsedSafetensors(const std::string& file) {
    const Folder folder;
    writeFile(folder / "model.safetensors", file);
    return readSafetensors(folder / "model.safetensors");
}

std::string safetensorsRefusal(const std::string& file) {
    return refusalOf([&] { parsedSafetensors(file); });
}

std::string safetensorsRefusal(const std::string& header, const std::string& data) {
    return safetensorsRefusal(fileOf(header, data));
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
}

} // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void tensorsComeInTheOrderOfTheirData() {
        const std::string header = "{" + entry("b", "F32", "[2,1]", "[0,8]") +
                                   ",\"__metadata__\":{\"x\":\"b\"}," + entry("a", "I64", "[]", "[8,16]") +
                                   "}";
        const std::string file = fileOf(header, std::string(16, '\1'));
        const TensorFile read = parsedSafetensors(file);
        QCOMPARE(read.format, std::string("safetensors"));
        QCOMPARE(read.tensors.size(), std::size_t{2});
        QCOMPARE(read.tensors[0].name, std::string("b"));
        QVERIFY(read.tensors[0].type == ElementType::Float32);
        QCOMPARE(read.tensors[0].shape, (std::vector<std::int64_t>{2, 1}));
        QCOMPARE(read.tensors[0].strides, (std::vector<std::int64_t>{1, 1}));
        QCOMPARE(read.tensors[0].offset, std::size_t{0});
        QVERIFY(read.tensors[1].shape.empty());
        QCOMPARE(read.tensors[1].offset, std::size_t{8});
        QCOMPARE(read.metadata.at("x"), std::string("b"));
    }

    void aFileCutShortIsRefused() {
        const Folder folder;
        const std::string file = fileOf("{" + entry("w", "U8", "[3]", "[0,3]") + "}", "abc");
        writeFile(folder / "w.safetensors", file);
        const TensorFile read = readSafetensors(folder / "w.safetensors");
        QCOMPARE(std::memcmp(read.tensors[0].bytes->data() + read.tensors[0].offset, "abc", 3), 0);
        writeFile(folder / "cut.safetensors", file.substr(0, file.size() - 1));
        QVERIFY(contains(refusalOf([&] { readSafetensors(folder / "cut.safetensors"); }),
                         {"cut.safetensors", "2 bytes of data", "need 3", "cut short"}));
    }

    void whatTheReferenceAcceptsIsAccepted_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<int>("dataBytes");
        const auto row = [](const char* name, const std::string& header, int bytes) {
            QTest::newRow(name) << QByteArray::fromStdString(header) << bytes;
        };
        row("no tensors", "{}", 0);
        row("white space around", " \t\n\r{} \t\n\r  ", 0);
        row("an empty dimension", "{" + entry("e", "F32", "[2,0]", "[0,0]") + "}", 0);
        row("an empty dimension before huge ones",
            "{" + entry("e", "F32", "[0,9223372036854775807,9223372036854775807]", "[0,0]") + "}", 0);
        row("a scalar", "{" + entry("s", "BF16", "[]", "[0,2]") + "}", 2);
        row("empty between others",
            "{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("z", "U8", "[0]", "[1,1]") + "," +
                entry("b", "U8", "[1]", "[1,2]") + "}",
            2);
        row("null metadata", "{\"__metadata__\":null}", 0);
        row("eight dimensions", "{" + entry("d", "BOOL", "[1,1,1,1,1,1,1,1]", "[0,1]") + "}", 1);
    }
    void whatTheReferenceAcceptsIsAccepted() {
        QFETCH(QByteArray, header);
        QFETCH(int, dataBytes);
        QCOMPARE(
            safetensorsRefusal(header.toStdString(), std::string(static_cast<std::size_t>(dataBytes), '\0')),
            std::string());
    }

    void everyMalformedHeaderIsRefused_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("words");
        const auto raw = [](const char* name, const std::string& file, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QString(words);
        };
        const auto row = [&](const char* name, const std::string& header, int bytes, const char* words) {
            raw(name, fileOf(header, std::string(static_cast<std::size_t>(bytes), '\0')), words);
        };
        raw("nothing", "", "at least 8 bytes");
        raw("seven bytes", std::string(7, '\0'), "at least 8 bytes");
        raw("an empty header", std::string(8, '\0'), "begins with {");
        raw("a huge length", littleEndian(0xffffff000000003cu, 8), "at most 100000000");
        raw("a length beyond the limit", littleEndian(100'000'001, 8) + "{}", "at most 100000000");
        raw("a length beyond the file", littleEndian(60, 8) + "{}", "a file of 10 bytes");
        row("no UTF-8", "\xff", 0, "begins with {");
        row("no UTF-8 in a name", "{\"\xff\":1}", 0, "UTF-8");
        row("a brace alone", "{", 0, "header, byte");
        row("a byte order mark", "\xEF\xBB\xBF{}", 0, "begins with {");
        row("a list", "[]", 0, "begins with {");
        row("text after the header", "{}x", 0, "header, byte");
        row("the same name twice",
            "{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("a", "U8", "[1]", "[1,2]") + "}", 2,
            "\"a\" twice");
        row("offsets too short", "{" + entry("a", "F32", "[2,2]", "[0,4]") + "}", 4, "needs 16 bytes");
        row("offsets backwards", "{" + entry("a", "F32", "[1]", "[4,0]") + "}", 4, "[4, 0]");
        row("all on the same bytes",
            "{" + entry("a", "F32", "[1]", "[0,4]") + "," + entry("b", "F32", "[1]", "[0,4]") + "}", 4,
            "overlap");
        row("a hole", "{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "U8", "[1]", "[2,3]") + "}",
            3, "hole");
        row("not from the start", "{" + entry("a", "U8", "[1]", "[1,2]") + "}", 2, "where 0 should begin");
        row("bytes left over", "{" + entry("a", "F32", "[1]", "[0,4]") + "}", 5, "left over");
        row("bytes missing", "{" + entry("a", "F32", "[1]", "[0,4]") + "}", 2, "cut short");
        row("bytes without tensors", "{}", 1, "left over");
        row("a product that overflows", "{" + entry("a", "F32", "[2,18446744073709551614]", "[0,16]") + "}",
            16, "sizes");
        row("a product that wraps to 4 elements",
            "{" + entry("a", "F32", "[4194305,4194305,211106198978564]", "[0,16]") + "}", 16, "overflows");
        row("bytes that overflow", "{" + entry("a", "F64", "[4611686018427387904]", "[0,0]") + "}", 0,
            "overflows");
        row("a negative size", "{" + entry("a", "U8", "[-1]", "[0,1]") + "}", 1, "sizes");
        row("minus zero", "{" + entry("a", "U8", "[-0]", "[0,0]") + "}", 0, "sizes");
        row("a size with an exponent", "{" + entry("a", "U8", "[1e0]", "[0,1]") + "}", 1, "sizes");
        row("a size as text", "{" + entry("a", "U8", "[\"1\"]", "[0,1]") + "}", 1, "sizes");
        row("three offsets", "{" + entry("a", "U8", "[1]", "[0,1,1]") + "}", 1, "pair");
        row("nine dimensions", "{" + entry("a", "U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]") + "}", 1,
            "9 dimensions");
        row("float8", "{" + entry("a", "F8_E4M3", "[1]", "[0,1]") + "}", 1, "element type F8_E4M3");
        row("half a byte", "{" + entry("a", "F4", "[1]", "[0,1]") + "}", 1, "element type F4");
        row("unsigned 16", "{" + entry("a", "U16", "[1]", "[0,2]") + "}", 2, "element type U16");
        row("no shape", R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1, "dtype, shape and data_offsets");
        row("an entry that is a number", R"({"a":1})", 1, "dtype, shape and data_offsets");
        row("too deep", R"({"a":{"shape":[[[1]]]}})", 1, "at most 4 levels");
        row("metadata that is no text", R"({"__metadata__":{"a":1}})", 0, "__metadata__");
        row("metadata that is no object", R"({"__metadata__":[]})", 0, "__metadata__");
        row("a long name", "{" + entry(std::string(1025, 'n'), "U8", "[1]", "[0,1]") + "}", 1, "1025 bytes");
    }
    void everyMalformedHeaderIsRefused() {
        QFETCH(QByteArray, file);
        QFETCH(QString, words);
        QVERIFY(contains(safetensorsRefusal(file.toStdString()),
                         {"model.safetensors", words.toUtf8().constData()}));
    }

    void allBadTensorsAreNamedAtOnce() {
        const std::string refusal = safetensorsRefusal("{" + entry("first", "F8_E5M2", "[1]", "[0,1]") + "," +
                                                           entry("second", "F32", "[2]", "[1,5]") + "," +
                                                           entry("third", "C64", "[1]", "[5,13]") + "}",
                                                       std::string(13, '\0'));
        QVERIFY(contains(refusal, {"first: element type F8_E5M2", "second: shape [2] needs 8",
                                   "third: element type C64"}));
    }

    void whatIsSavedIsReadBack() {
        const Folder folder;
        const std::vector<float> floats = {1, 2, 3, 4, 5, 6};
        const std::vector<std::int64_t> longs = {7};
        const std::vector<std::uint8_t> bytes = {8, 9, 10};
        saveSafetensors(
            folder / "saved",
            {{"flags", ElementType::UInt8, {3}, std::as_bytes(std::span(bytes))},
             {"w \"quoted\" \u00e4", ElementType::Float32, {2, 3}, std::as_bytes(std::span(floats))},
             {"count", ElementType::Int64, {}, std::as_bytes(std::span(longs))},
             {"empty", ElementType::Float32, {0, 5}, {}}},
            {{"format", "pt"}, {"dropped", "kept"}});
        const TensorFile read = readSafetensors(folder / "saved");
        QCOMPARE(read.tensors.size(), std::size_t{4});
        QCOMPARE(read.tensors[0].name, std::string("count")); // largest alignment first, then by name
        QCOMPARE(read.tensors[1].name, std::string("empty"));
        QCOMPARE(read.tensors[2].name, std::string("w \"quoted\" \u00e4"));
        QCOMPARE(read.tensors[3].name, std::string("flags"));
        QCOMPARE(std::memcmp(read.tensors[2].bytes->data() + read.tensors[2].offset, floats.data(), 24), 0);
        QCOMPARE(read.metadata.at("dropped"), std::string("kept"));
        const std::string file = contentOf(folder / "saved");
        QCOMPARE(static_cast<unsigned char>(file[0]) % 8, 0);
    }

    void theSameTensorsGiveTheSameBytes() {
        const Folder folder;
        const Bytes one(1);
        const TensorToSave a{"a", ElementType::UInt8, {1}, one}, b{"b", ElementType::UInt8, {1}, one};
        saveSafetensors(folder / "ab", {a, b}, {});
        saveSafetensors(folder / "ba", {b, a}, {});
        QCOMPARE(contentOf(folder / "ab"), contentOf(folder / "ba"));
    }

    void whatTheFormatCannotHoldIsNotSaved() {
        const Folder folder;
        const Bytes one(1);
        const auto refusal = [&](std::vector<TensorToSave> tensors) {
            return refusalOf([&] { saveSafetensors(folder / "no", std::move(tensors), {}); });
        };
        QVERIFY(contains(refusal({{"a", ElementType::Float32, {1}, one}}), {"tensor a", "[1] with 1 bytes"}));
        QVERIFY(contains(refusal({{"a", ElementType::UInt8, {1}, one}, {"a", ElementType::Int8, {1}, one}}),
                         {"twice"}));
        QVERIFY(contains(refusal({{"\xff", ElementType::UInt8, {1}, one}}), {"a name"}));
        QVERIFY(contains(refusal({{"__metadata__", ElementType::UInt8, {1}, one}}), {"a name"}));
        QVERIFY(!std::filesystem::exists(folder / "no"));
    }
};

HEADSCOPE_TEST(SafetensorsTest)
#include "safetensors_test.moc"
