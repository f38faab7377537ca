#include "model/files/file_kind.h"
#include "model/files/safetensors.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope::files;

class FileKindTest : public QObject {
    Q_OBJECT

    Folder folder_;

    FileKind kindOf(const std::string& content) {
        writeFile(folder_ / "weights.bin", content); // the name does not matter
        return fileKind(folder_ / "weights.bin");
    }

    FileKind kindOfZip(const std::vector<foreign_zip::Entry>& entries) {
        foreign_zip::write(folder_ / "weights.zip", entries);
        return fileKind(folder_ / "weights.zip");
    }

    static void saveShard(const std::filesystem::path& path, const std::vector<std::string>& names,
                          const std::map<std::string, std::string>& metadata = {}) {
        const Bytes bytes(4);
        std::vector<TensorToSave> tensors;
        for (const auto& name : names)
            tensors.push_back({name, ElementType::Float32, {1}, bytes});
        saveSafetensors(path, std::move(tensors), metadata);
    }

    static std::vector<std::string> namesIn(const TensorFile& file) {
        std::vector<std::string> names;
        for (const auto& tensor : file.tensors)
            names.push_back(tensor.name);
        return names;
    }

  private Q_SLOTS:
    void theContentDecides() {
        QVERIFY(kindOf(littleEndian(2, 8) + "{}") == FileKind::Safetensors);
        QVERIFY(kindOf(littleEndian(4, 8) + " \n{}") == FileKind::Safetensors);
        QVERIFY(kindOf(littleEndian(60, 8)) == FileKind::Safetensors);
        QVERIFY(kindOf("GGUF\3") == FileKind::Gguf);
        QVERIFY(kindOf("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.") == FileKind::TorchLegacy);
        QVERIFY(kindOfZip({{"m/data.pkl", "x"}, {"m/version", "3"}}) == FileKind::TorchZip);
        QVERIFY(kindOfZip({{"m/data.pkl", "x"}, {"m/constants.pkl", "x"}}) == FileKind::TorchScript);
    }

    void aForeignFileIsNamedWithTheWayOut_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* words, const std::string& content) {
            QTest::newRow(words) << QByteArray::fromStdString(content) << QString(words);
        };
        row("a GGML file", "ggml\3");
        row("a NumPy array", "\x93NUMPY\1");
        row("HDF5", "\x89HDF\r\n\x1a\n");
        row("a tar archive", std::string(257, 'x') + "ustar");
        row("a gzip file", "\x1f\x8b\x08");
        row("an xz file", std::string("\xfd"
                                      "7zXZ\0",
                                      6));
        row("Git LFS", "version https://git-lfs.github.com/spec/v1\n");
        row("a web page", "<!DOCTYPE html>");
        row("ONNX", "\x08\x07\x12\x07pytorch");
        row("a Python pickle", "\x80\x04K\1.");
        row("JSON text", "{\"a\": 1}");
        row("an empty file", "");
        row("a text, which begins \"some text\"", "some text");
        row("a web page", "\n <html>");
        row("an unknown kind, which begins with the bytes 01 ab", "\x01\xab");
        row("a TensorFlow SavedModel", "\x08\x01\x12");
    }
    void aForeignFileIsNamedWithTheWayOut() {
        QFETCH(QByteArray, content);
        QFETCH(QString, words);
        QVERIFY(contains(refusalOf([&] { kindOf(content.toStdString()); }),
                         {"weights.bin", words.toUtf8().constData(), "What to do: "}));
    }

    void anIndexOfShardsIsToldByItsWeightMap() {
        QVERIFY(kindOf(" {\"metadata\": {}, \"weight_map\": {}}") == FileKind::ShardIndex);
    }

    void foreignZipsAreNamedToo() {
        QVERIFY(kindOfZip({{"w.npy", "x"}}) == FileKind::Npz);
        QVERIFY(contains(refusalOf([&] {
                             kindOfZip({{"model.weights.h5", "x"}});
                         }),
                         {"Keras", "Convert it"}));
        QVERIFY(contains(refusalOf([&] {
                             kindOfZip({{"a.txt", "x"}});
                         }),
                         {"without a data.pkl, with a.txt"}));
        QVERIFY(contains(refusalOf([&] {
                             kindOfZip({{"w.txt", "x"}});
                         }),
                         {"without a data.pkl, with w.txt", "What to do: "}));
    }

    void anyKindOfWeightsIsReadByOneCall() {
        const Bytes bytes(24);
        saveSafetensors(folder_ / "a", {{"w", ElementType::Float32, {2, 3}, bytes}}, {});
        QCOMPARE(readTensorFile(folder_ / "a").tensors[0].name, std::string("w"));
        const std::string six(24, '\0');
        foreign_zip::write(folder_ / "b",
                           {{"m/data.pkl", pickle_text::savedStateDict({{"w", {}}})}, {"m/data/0", six}});
        QCOMPARE(readTensorFile(folder_ / "b").tensors[0].name, std::string("w"));
    }

    void theShardsOfAnIndexAreReadAsOneFile() {
        const Folder folder;
        saveShard(folder / "one", {"a", "b"}, {{"dropped", "a"}});
        saveShard(folder / "two", {"c"}, {{"format", "pt"}});
        writeFile(folder / "index", R"({"weight_map": {"a": "one", "b": "one", "c": "two"}})");
        const TensorFile read = readTensorFile(folder / "index");
        QCOMPARE(read.format, std::string("safetensors, shards: 2"));
        QCOMPARE(namesIn(read), (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(read.metadata.at("dropped"), std::string("a"));
        QCOMPARE(read.metadata.at("format"), std::string("pt"));
    }

    void allMissingShardsAreNamedAtOnce() {
        const Folder folder;
        saveShard(folder / "one", {"a"});
        writeFile(folder / "index", R"({"weight_map": {"a": "one", "b": "two", "c": "three"}})");
        QVERIFY(contains(refusalOf([&] { readTensorFile(folder / "index"); }),
                         {"index", "3 shards", "three is missing; two is missing", "What to do: "}));
    }

    void shardsThatAreNotWhatTheIndexPromisesAreRefusedByName() {
        const Folder folder;
        saveShard(folder / "one", {"a", "twice"});
        saveShard(folder / "two", {"twice"});
        writeFile(folder / "index", R"({"weight_map": {"a": "two", "twice": "two", "lost": "one"}})");
        QVERIFY(contains(refusalOf([&] { readTensorFile(folder / "index"); }),
                         {"lost is not in one", "twice is in one and in two", "a is not in two"}));
    }

    void anIndexIsNoShard() {
        const Folder folder;
        writeFile(folder / "index", R"({"weight_map": {"a": "index"}})");
        QVERIFY(contains(refusalOf([&] { readTensorFile(folder / "index"); }), {"index", "in the place of"}));
    }
};

HEADSCOPE_TEST(FileKindTest)
#include "file_kind_test.moc"
