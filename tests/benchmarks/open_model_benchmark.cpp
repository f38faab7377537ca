#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "model/files/file_kind.h"
#include "model/files/zip_writer.h"
#include "tests/model/files/pickle_text.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>

/// Opening a model of 300 MB beside reading its bytes: how many times longer it takes, and how much more
/// memory it needs at its peak than file and parameters together.
namespace {

using namespace headscope;
namespace fs = std::filesystem;

constexpr double mega = 1e6;
constexpr int repetitions = 5;

/// 76 million parameters: 304 MB in float32.
constexpr const char* configuration = R"({"encoder_layers": 6, "model_width": 640, "heads": 10,
    "feed_forward_width": 2560, "source_vocabulary_size": 10000, "tied_source_target": "yes",
    "tied_generator": "yes", "start_id": 2, "end_id": 3})";

/// Every measurement has a process of its own, that no other one has warmed or swollen.
void inOwnProcess(const std::function<void()>& work) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        work();
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
        qFatal("a measurement ended with %d", status);
}

std::unique_ptr<engine::Engine> start() {
    app::chooseKernels();
    return app::loadEngine({.familyFolders = app::familyFolders()});
}

/// The least of several times, in milliseconds.
double milliseconds(const std::function<void()>& work) {
    double least = 1e300;
    for (int i = 0; i < repetitions; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        least = std::min(least, time.count());
    }
    return least;
}

/// "VmRSS" or "VmHWM" (its peak) of this process, in bytes.
double resident(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key + ":"))
            return std::stod(line.substr(key.size() + 1)) * 1024;
    return 0;
}

void readBytes(const fs::path& path) {
    const auto size = fs::file_size(path);
    const auto bytes = std::make_unique_for_overwrite<char[]>(size);
    const auto wanted = static_cast<std::streamsize>(size);
    if (std::ifstream(path, std::ios::binary).rdbuf()->sgetn(bytes.get(), wanted) != wanted)
        qFatal("%s was not read to its end", path.c_str());
}

void measure(const char* name, const fs::path& model, const fs::path& file) {
    inOwnProcess([&] {
        const auto engine = start();
        const double read = milliseconds([&] { readBytes(file); });
        const double open = milliseconds([&] { start()->open({.path = model}, {}); });
        std::printf("%-18s %6.0f MB %10.0f %10.0f %8.2f", name,
                    static_cast<double>(fs::file_size(file)) / mega, read, open, open / read);
    });
    inOwnProcess([&] {
        const auto engine = start();
        std::ofstream("/proc/self/clear_refs") << 5; // the peak starts anew
        const double before = resident("VmRSS");
        const auto summary = engine->open({.path = model}, {});
        if (summary->parameters < 70'000'000)
            qFatal("the opened model has fewer parameters than were saved");
        const double beyond = resident("VmHWM") - before - static_cast<double>(fs::file_size(file)) -
                              static_cast<double>(summary->bytes);
        std::printf(" %14.0f MB\n", beyond / mega);
    });
}

void make(const fs::path& folder, files::ElementType precision) {
    inOwnProcess([&] {
        const fs::path config = folder.string() + ".json";
        std::ofstream(config) << configuration;
        const auto engine = start();
        engine->open({.path = config, .randomSeed = 1}, {});
        engine->convert(folder, precision, {});
    });
}

/// The same tensors as torch.save writes them.
void makeTorchZip(const fs::path& folder, const fs::path& from) {
    const auto file = files::readTensorFile(from / "model.safetensors");
    fs::create_directories(folder);
    files::ZipWriter archive(folder / "model.pt");
    std::vector<pickle_text::NamedTensor> tensors;
    for (const auto& stored : file.tensors) {
        const auto elements = files::checkedProduct(stored.shape).value();
        const auto key = std::to_string(tensors.size());
        archive.add("model/data/" + key, {stored.bytes->data() + stored.offset, 4 * elements});
        tensors.push_back({stored.name,
                           {.key = key,
                            .elements = static_cast<std::int64_t>(elements),
                            .shape = stored.shape,
                            .strides = stored.strides}});
    }
    archive.add("model/data.pkl", pickle_text::savedStateDict(tensors));
    archive.commit();
    fs::copy_file(from / "config.json", folder / "config.json");
}

} // namespace

int main() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    make(folder / "f32", files::ElementType::Float32);
    make(folder / "f16", files::ElementType::Float16);
    inOwnProcess([&] { makeTorchZip(folder / "zip", folder / "f32"); });
    std::printf("%-18s %9s %10s %10s %8s %17s\n", "least of 5", "file", "read ms", "open ms", "x read",
                "peak beyond both");
    measure("safetensors f32", folder / "f32", folder / "f32/model.safetensors");
    measure("safetensors f16", folder / "f16", folder / "f16/model.safetensors");
    measure("PyTorch zip f32", folder / "zip", folder / "zip/model.pt");
    return 0;
}
