#include "model/files/file_kind.h"
#include "model/files/safetensors.h"
#include "tests/model/engine/engines.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include <cstring>
#include <functional>
#include <limits>

#include <sys/stat.h>

using namespace foreign_files;
using namespace headscope;

namespace {

namespace fs = std::filesystem;

const fs::path reference = HEADSCOPE_SOURCE "/tests/reference";

/// A valid model to be damaged: its tensors, row-major.
std::vector<files::TensorToSave> soundTensors(std::vector<Bytes>& contents) {
    const auto file = files::readTensorFile(reference / "annotated-tiny/model.pt");
    std::vector<files::TensorToSave> tensors;
    contents.reserve(file.tensors.size());
    for (const auto& tensor : file.tensors) {
        const auto bytes = files::checkedProduct(tensor.shape).value() * files::sizeOf(tensor.type);
        const auto first = tensor.bytes->begin() + static_cast<std::ptrdiff_t>(tensor.offset);
        contents.emplace_back(first, first + static_cast<std::ptrdiff_t>(bytes));
        tensors.push_back({tensor.name, tensor.type, tensor.shape, contents.back()});
    }
    return tensors;
}

struct BadModel {
    std::function<void(const fs::path& folder)> make;
    QStringList words;       ///< required in the refusal
    std::string opened = ""; ///< path in the folder; empty: the folder itself
    std::vector<engine::Setting> settings = {};
};

/// A file with these bytes.
BadModel file(const std::string& name, const std::string& content, const QStringList& words) {
    return {[=](const fs::path& folder) { writeFile(folder / name, content); },
            QStringList{QString::fromStdString(name)} + words, name};
}

/// A zip archive under this file name.
BadModel archive(const std::string& name, const std::vector<foreign_zip::Entry>& entries,
                 const QStringList& words) {
    return {[=](const fs::path& folder) { foreign_zip::write(folder / name, entries); },
            QStringList{QString::fromStdString(name)} + words, name};
}

/// The valid model with `change` applied to its tensors.
BadModel spoilt(const std::function<void(std::vector<files::TensorToSave>&)>& change,
                const QStringList& words, const std::vector<engine::Setting>& settings = {}) {
    return {[=](const fs::path& folder) {
                std::vector<Bytes> contents;
                auto tensors = soundTensors(contents);
                change(tensors);
                files::saveSafetensors(folder / "model.safetensors", tensors, {});
                fs::copy_file(reference / "annotated-tiny/config.json", folder / "config.json");
            },
            words, "", settings};
}

/// A folder of a reference model with one file replaced.
BadModel replaced(const std::string& model, const std::string& name, const std::string& content,
                  const QStringList& words) {
    return {[=](const fs::path& folder) {
                for (const auto& entry : fs::directory_iterator(reference / model))
                    fs::copy_file(entry.path(), folder / entry.path().filename());
                writeFile(folder / name, content);
            },
            QStringList{QString::fromStdString(name)} + words};
}

std::string firstOf(const std::string& name, std::size_t bytes) {
    return contentOf(reference / name).substr(0, bytes);
}

std::string safetensors(const std::string& header, const std::string& data) {
    return littleEndian(header.size(), 8) + header + data;
}

} // namespace

Q_DECLARE_METATYPE(BadModel)

/// Files opened by mistake or damaged. Every refusal must say what happened, where, what was expected, what
/// was found, and what to do. Prints the texts for review.
class BadModelsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_ = engines::start();

    void foreignFiles();
    void brokenFiles();
    void folders();
    void modelsThatDoNotFit();

  private Q_SLOTS:
    void everyRefusalSaysAllThatHelps_data() {
        QTest::addColumn<BadModel>("model");
        foreignFiles();
        brokenFiles();
        folders();
        modelsThatDoNotFit();
    }
    void everyRefusalSaysAllThatHelps() {
        QFETCH(const BadModel, model);
        const QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        model.make(folder);
        try {
            engine_->open(
                {.path = model.opened.empty() ? folder : folder / model.opened, .settings = model.settings},
                {});
            QFAIL("it was opened");
        } catch (const trace::Refusal& refusal) {
            const auto& text = refusal.text();
            auto said = QString::fromUtf8(refusal.what());
            for (const QString& word : model.words)
                QVERIFY2(said.contains(word), qPrintable("\"" + word + "\" is not in: " + said));
            for (const auto* part : {&text.what, &text.where, &text.expected, &text.found, &text.wayOut})
                QVERIFY2(!part->empty(), qPrintable("a part is missing: " + said));
            qInfo().noquote() << said.replace(temporary.path(), "...");
        }
    }
};

void BadModelsTest::foreignFiles() {
    const auto row = [](const char* name, const BadModel& model) { QTest::newRow(name) << model; };
    row("an empty file", file("model.pt", "", {"an empty file"}));
    row("a text", file("model.pt", "my weights are elsewhere\n", {"a text", "my weights"}));
    row("noise", file("model.bin", "\x01\xab\xcd\x02", {"unknown kind", "01 ab cd 02"}));
    row("a web page", file("pytorch_model.bin", "\n<!doctype html><title>404", {"a web page"}));
    row("an error of a server", file("model.safetensors", "{\"error\": \"not found\"}", {"JSON text"}));
    row("a Git LFS pointer",
        file("model.safetensors", "version https://git-lfs.github.com/spec/v1\n", {"LFS", "git lfs pull"}));
    row("gzip", file("model.pt", "\x1f\x8b\x08", {"a gzip file", "Unpack"}));
    row("a tar archive", file("model.pt", std::string(257, 'x') + "ustar", {"a tar archive", "torch.load"}));
    row("GGUF", file("model.gguf", std::string("GGUF\3\0\0\0", 8), {"GGUF", "ends within its header"}));
    row("GGML", file("model.bin", "ggjt\3", {"unknown kind"}));
    row("GGML before GGUF", file("model.bin", "ggml\3", {"a GGML file", "Open a GGUF file"}));
    row("ONNX", file("model.onnx", "\x08\x07\x12\x07pytorch", {"an ONNX model", "Convert it"}));
    row("HDF5", file("model.h5", "\x89HDF\r\n\x1a\n", {"an HDF5 file", "Convert it"}));
    row("TensorFlow Lite", file("model.tflite", std::string("\x1c\0\0\0TFL3", 8), {"TensorFlow Lite"}));
    row("a SavedModel", file("saved_model.pb", "\x08\x01\x12", {"a TensorFlow SavedModel"}));
    row("an npy", file("model.npy", "\x93NUMPY\1", {"a NumPy array", "Convert it"}));
    row("an npz", archive("model.npz", {{"w.weight.npy", "x"}}, {"NumPy array", "entry w.weight.npy"}));
    row("Keras", archive("model.keras", {{"config.json", "{}"}, {"model.weights.h5", "x"}}, {"Keras"}));
    row("another zip", archive("model.pt", {{"photo.jpg", "x"}}, {"without a data.pkl", "photo.jpg"}));
    row("a plain pickle", file("model.pkl", "\x80\x04K\1.", {"a Python pickle"}));
}

void BadModelsTest::brokenFiles() {
    using namespace pickle_text;
    const auto row = [](const char* name, const BadModel& model) { QTest::newRow(name) << model; };
    row("safetensors, cut short",
        file("model.safetensors", firstOf("marian-tiny/model.safetensors", 50'000), {"cut short"}));
    row("safetensors, cut in its header",
        file("model.safetensors", firstOf("marian-tiny/model.safetensors", 1'000), {"a file of 1000 bytes"}));
    row("safetensors of 8 bits",
        file("model.safetensors",
             safetensors("{\"w\": {\"dtype\": \"F8_E4M3\", \"shape\": [1], \"data_offsets\": [0, 1]}}", "x"),
             {"w: element type F8_E4M3"}));
    row("a zip, cut short",
        file("model.pt", firstOf("annotated-tiny/model.pt", 30'000), {"whole zip archive"}));
    row("an old file, cut short",
        file("model.bin", firstOf("marian-tiny-legacy/pytorch_model.bin", 60'000), {"the end of the file"}));
    row("an old file, cut in its pickle",
        file("model.bin", firstOf("marian-tiny-legacy/pytorch_model.bin", 500), {"more bytes"}));
    row("another byte order",
        archive("model.pt", {{"m/data.pkl", savedStateDict({{"w", {}}})}, {"m/byteorder", "big"}},
                {"byte order big"}));
    row("a storage is missing",
        archive("model.pt", {{"m/data.pkl", savedStateDict({{"w", {}}})}}, {"w: storage 0 is missing"}));
    row("code instead of weights",
        archive("model.pt",
                {{"m/data.pkl", start + global("os", "system") + tupleOf(text("ls")) + reduce + stop}},
                {"os.system", "state_dict"}));
    row("the optimizer's state alone",
        archive("model.pt", {{"m/data.pkl", start + emptyDict + text("lr") + integer(1) + setItem + stop}},
                {"no weights", "lr"}));
}

void BadModelsTest::folders() {
    const auto row = [](const char* name, const BadModel& model) { QTest::newRow(name) << model; };
    row("no such folder", {[](const fs::path&) {}, {"gone"}, "gone"});
    row("a folder without weights", {[](const fs::path& folder) { writeFile(folder / "readme.txt", "x"); },
                                     {"no model", ".safetensors"}});
    row("a folder with several", {[](const fs::path& folder) {
                                      writeFile(folder / "a.pt", "x");
                                      writeFile(folder / "b.pt", "x");
                                  },
                                  {"several models", "a.pt, b.pt"}});
    row("a pipe", {[](const fs::path& folder) { mkfifo((folder / "model.pt").c_str(), 0600); },
                   {"a pipe"},
                   "model.pt"});
    row("a broken config.json", replaced("annotated-tiny", "config.json", "{\"heads\": 2,", {"byte"}));
    row("config.json is a list", replaced("annotated-tiny", "config.json", "[2]", {"a JSON object"}));
    row("a word for a number",
        replaced("annotated-tiny", "headscope.json", "{\"heads\": \"two\"}", {"\"two\""}));
    row("a broken tokenizer", replaced("marian-tiny", "source.spm", "text", {"SentencePiece"}));
    row("a broken vocabulary", replaced("marian-tiny", "vocab.json", "{\"a\": 1}", {"every id"}));
}

void BadModelsTest::modelsThatDoNotFit() {
    using Tensors = std::vector<files::TensorToSave>;
    const auto row = [](const char* name, const BadModel& model) { QTest::newRow(name) << model; };
    const auto asItIs = [](Tensors&) {};
    row("an unknown family",
        file("model.safetensors",
             safetensors("{\"gpt.w\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4]}}",
                         "1234"),
             {"gpt.w", "--family"}));
    row("a family that is not there", spoilt(asItIs, {"\"nonesuch\"", "marian"}, {{"family", "nonesuch"}}));
    row("heads that do not divide", spoilt(asItIs, {"--heads", "\"5\"", "divides"}, {{"heads", "5"}}));
    row("a missing tensor", spoilt(
                                [](Tensors& tensors) {
                                    std::erase_if(tensors, [](const auto& tensor) {
                                        return tensor.name == "generator.proj.bias";
                                    });
                                },
                                {"model.safetensors", "generator.proj.bias is missing"}));
    row("a wrong shape", spoilt(
                             [](Tensors& tensors) {
                                 for (auto& tensor : tensors)
                                     if (tensor.name == "generator.proj.bias")
                                         tensor.shape.push_back(1),
                                             tensor.shape.insert(tensor.shape.begin(), 1);
                                     else if (tensor.name == "decoder.norm.a_2")
                                         tensor.shape = {2, tensor.shape[0] / 2};
                             },
                             {"model.safetensors", "decoder.norm.a_2 is [2, "}));
    row("weights that are NaN", spoilt(
                                    [](Tensors& tensors) {
                                        static const float nan = std::numeric_limits<float>::quiet_NaN();
                                        for (auto& tensor : tensors)
                                            if (tensor.name == "encoder.norm.a_2")
                                                std::memcpy(const_cast<std::byte*>(tensor.bytes.data()), &nan,
                                                            sizeof nan);
                                    },
                                    {"model.safetensors", "encoder.norm.a_2 has 1 that are NaN"}));
    row("whole numbers", spoilt(
                             [](Tensors& tensors) {
                                 for (auto& tensor : tensors)
                                     if (tensor.name == "generator.proj.bias")
                                         tensor.type = files::ElementType::Int32;
                             },
                             {"model.safetensors", "of int32"}));
    row("another model's configuration",
        spoilt(asItIs, {"configuration", "encoder_layers 9"}, {{"encoder_layers", "9"}}));
}

HEADSCOPE_TEST(BadModelsTest)
#include "bad_models_test.moc"
