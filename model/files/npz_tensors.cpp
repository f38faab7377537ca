#include "model/files/npz_tensors.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "model/files/available_memory.h"
#include "model/files/findings.h"
#include "model/files/marian_options.h"
#include "model/files/npy.h"
#include "model/files/npy_header.h"
#include "model/files/zip_archive.h"

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

} // namespace

TensorFile readNpzTensors(const std::filesystem::path& path, const std::stop_token& stop) {
    const ZipArchive archive = ZipArchive::open(path);
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
