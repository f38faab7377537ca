#include "model/files/npz_tensors.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/available_memory.h"
#include "model/files/findings.h"
#include "model/files/marian_options.h"
#include "model/files/npy.h"
#include "model/files/npy_header.h"
#include "model/files/zip_archive.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

constexpr std::string_view ending = ".npy";

void refuseMoreThanMemory(const ZipArchive& archive) {
    double needed = 0;
    for (const auto& entry : archive.entries())
        needed += static_cast<double>(entry.size);
    if (const auto available = availableMemory(); available && needed > *available)
        throw memoryRefusal("The arrays do not fit into this computer's memory", needed,
                            "close other programs or other models");
}

/// Names of a model's tensors have parts, "encoder.0.weight", or options of Marian beside them. What has
/// neither are arrays that someone meant as a recording.
void refuseOtherArrays(const ZipArchive& archive) {
    constexpr std::size_t shown = 6;
    std::vector<std::string> names;
    for (const auto& entry : archive.entries())
        if (entry.name.ends_with(ending))
            names.push_back(entry.name.substr(0, entry.name.size() - ending.size()));
    if (std::ranges::any_of(names, [](const auto& name) { return name.find_first_of(".:") != name.npos; }))
        return;
    std::string found;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
        found += (i > 0 ? ", " : "") + printable(names[i], 40);
    if (names.size() > shown)
        found += " and " + std::to_string(names.size() - shown) + " more";
    throw trace::Refusal(
        {.what = "These arrays are neither a recording nor a model",
         .where = archive.where(),
         .expected =
             "a recording: encoder_self/weights, decoder_self/weights or cross/weights, each [layers, "
             "heads, queries, keys], with the tokens source and target; or a model of Marian, whose "
             "options are special:model.yml",
         .found = found,
         .wayOut = "write the recording in Python: headscope.write(\"run.npz\", encoder=weights, "
                   "source=tokens), or decoder=weights, target=tokens; traces.md of the manual describes the "
                   "file"});
}

} // namespace

TensorFile readNpzTensors(const std::filesystem::path& path, const std::stop_token& stop) {
    const ZipArchive archive = ZipArchive::open(path);
    refuseOtherArrays(archive);
    refuseMoreThanMemory(archive);
    TensorFile file{.format = "NumPy (npz)"};
    for (const auto& entry : archive.entries()) {
        if (!entry.name.ends_with(ending))
            continue;
        const auto name = entry.name.substr(0, entry.name.size() - ending.size());
        const auto where = archive.where() + ", entry " + printable(entry.name);
        if (file.tensors.size() == maximumTensors || name.size() > maximumNameBytes)
            refuseNpy(where, "at most " + std::to_string(maximumTensors) + " arrays with short names",
                      "more");
        auto array = parseNpy(archive.read(entry.name, entry.size, stop), where);
        file.tensors.push_back({.name = name,
                                .type = array.type,
                                .shape = array.shape,
                                .strides = contiguousStrides(array.shape),
                                .bytes = std::make_shared<const FileBytes>(array.bytes)});
    }
    takeMarianOptions(file, archive.where());
    return file;
}

} // namespace headscope::files
