#include "model/training/training_state.h"

#include "model/files/safetensors.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <charconv>
#include <cstring>
#include <map>
#include <vector>

namespace headscope::training {

namespace {

namespace fs = std::filesystem;
using Metadata = std::map<std::string, std::string>;

const std::string ofOrigin = "origin: ";

/// Hexadecimal notation preserves every bit.
std::string hexadecimal(double value) {
    std::array<char, 64> text{};
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
    return {text.data(), result.ptr};
}

[[noreturn]] void refuse(const fs::path& path, const std::string& found) {
    throw trace::Refusal({.what = "The training cannot go on from its saved state",
                          .where = path.string(),
                          .expected = "what this program saved for this configuration",
                          .found = found,
                          .wayOut = "restore the configuration, or remove this file to begin anew"});
}

files::TensorToSave toSave(const char* name, const at::Tensor& tensor) {
    return {.name = name,
            .type = files::ElementType::Float32,
            .shape = tensor.sizes().vec(),
            .bytes = {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()}};
}

at::Tensor tensorIn(const files::TensorFile& file, const std::string& name, const fs::path& path,
                    std::int64_t size) {
    for (const auto& stored : file.tensors) {
        if (stored.name != name)
            continue;
        if (stored.type != files::ElementType::Float32 || stored.shape != std::vector<std::int64_t>{size})
            refuse(path, "a network of another size");
        auto tensor = at::empty({size});
        std::memcpy(tensor.data_ptr(), stored.bytes->data() + stored.offset, tensor.nbytes());
        return tensor;
    }
    refuse(path, "no " + name);
}

class MetadataReader {
  public:
    MetadataReader(const Metadata& metadata, const fs::path& path) : metadata_(metadata), path_(path) {}

    void read(const char* key, std::int64_t& value, std::int64_t least = 0) const {
        const auto& text = textOf(key);
        if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            error != std::errc() || end != text.data() + text.size() || value < least)
            refuse(path_, std::string(key) + " \"" + text + "\"");
    }
    void read(const char* key, double& value) const {
        const auto& text = textOf(key);
        if (const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
            error != std::errc() || end != text.data() + text.size())
            refuse(path_, std::string(key) + " \"" + text + "\"");
    }

  private:
    const std::string& textOf(const char* key) const {
        const auto found = metadata_.find(key);
        if (found == metadata_.end())
            refuse(path_, std::string("no ") + key);
        return found->second;
    }
    const Metadata& metadata_;
    const fs::path& path_;
};

Origin originIn(const Metadata& metadata) {
    Origin origin;
    for (const auto& [key, value] : metadata)
        if (key.starts_with(ofOrigin))
            origin[key.substr(ofOrigin.size())] = value;
    return origin;
}

} // namespace

void saveState(const TrainingState& state, const fs::path& path) {
    const auto& values = state.values;
    Metadata metadata{
        {"step", std::to_string(state.step)},      {"epoch", std::to_string(state.epoch)},
        {"batch", std::to_string(state.batch)},    {"parts", std::to_string(state.parts)},
        {"best", hexadecimal(state.best)},         {"best_step", std::to_string(state.bestStep)},
        {"worse", std::to_string(state.worse)},    {"loss_sum", hexadecimal(state.lossSum)},
        {"answers", hexadecimal(state.answers)},   {"gradient_norm", hexadecimal(state.gradientNorm)},
        {"settled", std::to_string(state.settled)}};
    for (const auto& [what, fingerprint] : state.origin)
        metadata[ofOrigin + what] = fingerprint;
    files::saveSafetensors(path,
                           {toSave("parameters", values.parameters), toSave("first", values.first),
                            toSave("second", values.second)},
                           metadata, {}, files::FileRole::Training);
}

Origin readOrigin(const fs::path& path) {
    return originIn(files::readSafetensors(path, {}, files::FileRole::Training).metadata);
}

TrainingState readState(const fs::path& path, std::int64_t size) {
    const auto file = files::readSafetensors(path, {}, files::FileRole::Training);
    TrainingState state;
    state.values = {.parameters = tensorIn(file, "parameters", path, size),
                    .first = tensorIn(file, "first", path, size),
                    .second = tensorIn(file, "second", path, size)};
    const MetadataReader metadata(file.metadata, path);
    metadata.read("step", state.step);
    metadata.read("epoch", state.epoch);
    metadata.read("batch", state.batch);
    metadata.read("parts", state.parts);
    metadata.read("best", state.best);
    metadata.read("best_step", state.bestStep);
    metadata.read("worse", state.worse);
    metadata.read("loss_sum", state.lossSum);
    metadata.read("answers", state.answers);
    state.settled = state.step; // for older states without it
    if (file.metadata.contains("settled")) {
        metadata.read("settled", state.settled, /*least=*/-1);
        metadata.read("gradient_norm", state.gradientNorm);
    }
    state.origin = originIn(file.metadata);
    return state;
}

void saveParameters(const at::Tensor& parameters, const fs::path& path) {
    files::saveSafetensors(path, {toSave("parameters", parameters)}, {}, {}, files::FileRole::Training);
}

at::Tensor readParameters(const fs::path& path, std::int64_t size) {
    const auto file = files::readSafetensors(path, {}, files::FileRole::Training);
    return tensorIn(file, "parameters", path, size);
}

} // namespace headscope::training
