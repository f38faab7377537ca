#include "model/files/npy.h"
#include "tests/model/files/foreign_files.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <cstring>

using namespace foreign_files;
using namespace headscope::files;

namespace {

/// A .npy file with this header, as NumPy would write it in version `major`.
std::string npyFile(const std::string& header, const std::string& data, int major = 1) {
    return "\x93NUMPY" + littleEndian(static_cast<std::uint64_t>(major), 1) + littleEndian(0, 1) +
           littleEndian(header.size(), major == 1 ? 2 : 4) + header + data;
}

NamedArray parsedNpy(const std::string& file) {
    return parseNpy(std::as_bytes(std::span(file)), "x.npy");
}

std::string npyRefusal(const std::string& file) {
    return refusalOf([&] { parsedNpy(file); });
}

std::string headerOf(const std::string& type, const std::string& order, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::vector<float> sixFloats() {
    return {1, 2, 3, 4, 5, 6};
}

std::string bytesOfFloats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

} // namespace

class NpyTest : public QObject {
    Q_OBJECT

    using Sizes = std::vector<std::int64_t>;

  private Q_SLOTS:
    void theBytesAreThoseThatNumPyWrites() {
        const std::string file = npyBytes(floatArray("x", {2, 3}, sixFloats()));
        const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        QCOMPARE(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
        QCOMPARE(file.substr(10, header.size()), header);
        QCOMPARE(file.size(), std::size_t{128 + 24});
        QCOMPARE(file[127], '\n');
        QCOMPARE(file.substr(128), bytesOfFloats(sixFloats()));
    }

    void shapesOfAllRanksAreWrittenAsPythonWritesThem() {
        const std::vector<float> one = {1};
        QVERIFY(npyBytes(floatArray("x", {}, one)).find("'shape': (), }") != std::string::npos);
        QVERIFY(npyBytes(floatArray("x", {1}, one)).find("'shape': (1,), }") != std::string::npos);
        QVERIFY(npyBytes(floatArray("x", {1, 1, 1}, one)).find("'shape': (1, 1, 1), }") != std::string::npos);
    }

    void everyTypeSurvivesTheRoundTrip() {
        for (const ElementType type : {ElementType::Bool, ElementType::UInt8, ElementType::Int8,
                                       ElementType::Int16, ElementType::Int32, ElementType::Int64,
                                       ElementType::Float16, ElementType::Float32, ElementType::Float64}) {
            NamedArray array{
                .name = "x.npy", .type = type, .shape = {2, 1}, .bytes = Bytes(2 * sizeOf(type))};
            array.bytes.back() = std::byte{1};
            QVERIFY(parsedNpy(npyBytes(array)) == array);
        }
        const NamedArray flags = booleanArray("flags", {3}, {true, false, true});
        QCOMPARE(flags.bytes, (Bytes{std::byte{1}, std::byte{0}, std::byte{1}}));
    }

    void valuesComeBackAsTheyWentIn() {
        QCOMPARE(floatsOf(floatArray("x", {2, 3}, sixFloats())), sixFloats());
        const std::vector<std::int64_t> ids = {-1, 5};
        QCOMPARE(integersOf(integerArray("ids", {2}, ids)), ids);
        QVERIFY(contains(refusalOf([&] { floatsOf(integerArray("ids", {2}, ids)); }),
                         {"ids", "float32", "int64"}));
        QVERIFY(contains(refusalOf([&] { floatArray("x", {4}, sixFloats()); }), {"x", "[4]", "6"}));
    }

    void fewerBytesThanTheShapeNeedsAreNotWritten() {
        QVERIFY(contains(refusalOf([] {
                             npyBytes({"w", ElementType::Float32, {2}, Bytes(7)});
                         }),
                         {"w", "[2]", "7"}));
    }

    void bfloat16IsRefused() {
        QVERIFY(contains(refusalOf([] {
                             npyBytes({"w", ElementType::BFloat16, {}, Bytes(2)});
                         }),
                         {"w", "bfloat16"}));
    }

    void columnMajorArraysAreTurned() {
        // [[1, 2, 3], [4, 5, 6]] column by column
        const NamedArray array =
            parsedNpy(npyFile(headerOf("<f4", "True", "(2, 3)"), bytesOfFloats({1, 4, 2, 5, 3, 6})));
        QCOMPARE(floatsOf(array), sixFloats());
        QCOMPARE(array.shape, (Sizes{2, 3}));
        std::vector<float> cube(24), turned(24);
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t k = 0; k < 4; ++k) {
                    turned[i * 12 + j * 4 + k] = static_cast<float>(100 * i + 10 * j + k);
                    cube[i + 2 * (j + 3 * k)] = turned[i * 12 + j * 4 + k];
                }
        QCOMPARE(floatsOf(parsedNpy(npyFile(headerOf("<f4", "True", "(2, 3, 4)"), bytesOfFloats(cube)))),
                 turned);
        QVERIFY(parsedNpy(npyFile(headerOf("<f4", "True", "(0, 3)"), "")).bytes.empty());
    }

    void otherVersionsAndSpellingsAreRead() {
        const std::string data = bytesOfFloats({1, 2});
        for (const int version : {1, 2, 3})
            QCOMPARE(floatsOf(parsedNpy(npyFile(headerOf("<f4", "False", "(2,)"), data, version))).size(),
                     std::size_t{2});
        QCOMPARE(
            parsedNpy(npyFile("{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"=f4\"}", data)).shape,
            (Sizes{2}));
        QVERIFY(parsedNpy(npyFile(headerOf(">u1", "False", "()"), "x")).type == ElementType::UInt8);
    }

    void whatIsNoPlainArrayIsRefused_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("words");
        const auto raw = [](const char* name, const std::string& file, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QString(words);
        };
        const auto row = [&](const char* name, const std::string& header, std::size_t bytes,
                             const char* words) {
            raw(name, npyFile(header, std::string(bytes, '\0')), words);
        };
        raw("nothing", "", "NUMPY");
        raw("the magic alone", "\x93NUMPY", "NUMPY");
        raw("version 4", npyFile(headerOf("<f4", "False", "()"), "1234", 4), "4.0");
        raw("a header beyond the file", std::string("\x93NUMPY\x01\x00\xff\x00{", 11), "header");
        raw("a header too long", npyFile(std::string(10'001, ' '), "", 2), "at most 10000");
        row("big-endian", headerOf(">f4", "False", "()"), 4, ">f4 (big-endian)");
        row("objects", headerOf("|O", "False", "()"), 8, "|O");
        row("text", headerOf("<U5", "False", "()"), 20, "<U5");
        row("complex", headerOf("<c8", "False", "()"), 8, "<c8");
        row("unsigned 16", headerOf("<u2", "False", "()"), 2, "<u2");
        row("structures", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }", 4,
            "structured");
        row("too few bytes", headerOf("<f4", "False", "(2, 3)"), 23, "24 bytes for shape [2, 3]");
        row("too many bytes", headerOf("<f4", "False", "(2, 3)"), 25, "24 bytes for shape [2, 3]");
        row("an overflow", headerOf("<f4", "False", "(4294967296, 4294967296)"), 0, "overflow");
        row("an overflow in bytes", headerOf("<f8", "False", "(4611686018427387904,)"), 0, "overflow");
        row("a size beyond int64", headerOf("<f4", "False", "(9223372036854775808,)"), 0, "a size");
        row("a negative size", headerOf("<f4", "False", "(-1,)"), 0, "a size");
        row("nine dimensions", headerOf("<f4", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), 4, "8 dimensions");
        row("a key twice", "{'shape': (), 'shape': (), 'descr': '<f4', 'fortran_order': False}", 4,
            "once each");
        row("a key missing", "{'shape': (), 'descr': '<f4'}", 4, "fortran_order");
        row("a foreign key", "{'shape': (), 'descr': '<f4', 'x': 1}", 4, "not x");
        row("an open quote", "{'shape", 4, "closing quote");
        row("text after the end", headerOf("<f4", "False", "()") + "x", 4, "nothing else");
        row("no comma", "{'shape': () 'descr': '<f4'}", 4, "a comma or }");
        row("no comma in the shape", headerOf("<f4", "False", "(1 1)"), 4, "a comma or )");
        row("no colon", "{'shape' ()}", 4, "Expected: :");
        row("no boolean", headerOf("<f4", "1", "()"), 4, "True or False");
    }
    void whatIsNoPlainArrayIsRefused() {
        QFETCH(QByteArray, file);
        QFETCH(QString, words);
        QVERIFY(contains(npyRefusal(file.toStdString()), {"x.npy", words.toUtf8().constData()}));
    }

    void anArchiveOfArraysIsReadBack() {
        const Folder folder;
        const std::vector<std::int64_t> ids = {3, 1};
        const std::vector<NamedArray> arrays = {floatArray("weights", {2, 3}, sixFloats()),
                                                integerArray("ids", {2}, ids),
                                                booleanArray("mask", {1, 2}, {true, false})};
        saveNpz(folder / "a.npz", arrays, {{"about.json", "{}"}});
        QVERIFY(read_npz::readNpz(folder / "a.npz") == arrays);
        saveNpz(folder / "b.npz", arrays, {{"about.json", "{}"}});
        QCOMPARE(contentOf(folder / "a.npz"), contentOf(folder / "b.npz"));
    }
};

HEADSCOPE_TEST(NpyTest)
#include "npy_test.moc"
