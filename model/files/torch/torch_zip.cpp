#include "model/files/torch/torch_zip.h"

#include <memory>
#include <string>
#include <string_view>

#include "model/files/findings.h"
#include "model/files/torch/pickled_tensors.h"
#include "model/files/torch/pickled_values.h"
#include "model/files/torch/torch_storage.h"
#include "model/files/torch/unpickler.h"
#include "model/files/zip_archive.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

/// A pickle of the permitted 100,000 tensors has about 20 MB.
constexpr std::uint64_t maximumPickleBytes = std::uint64_t{64} << 20;

/// Returns the folder that contains all entries of such an archive, with its slash.
std::string folderOf(const ZipArchive& archive) {
    constexpr std::string_view pickleName = "data.pkl";
    Findings found;
    std::string folder;
    int pickles = 0;
    for (const ZipEntry& entry : archive.entries()) {
        const std::size_t slash = entry.name.find('/');
        if (slash != std::string::npos && std::string_view(entry.name).substr(slash + 1) == pickleName) {
            found.add(printable(entry.name));
            ++pickles;
            folder = entry.name.substr(0, slash + 1);
        }
    }
    if (pickles != 1)
        throw trace::Refusal(
            {.what = "The zip file is no PyTorch checkpoint",
             .where = archive.where(),
             .expected = "one <folder>/data.pkl",
             .found = found.empty() ? "none" : found.text(),
             .wayOut = "Give the file itself as torch.save wrote it, not an archive of several."});
    return folder;
}

void refuseBigEndian(const ZipArchive& archive, const std::string& folder) {
    const std::string name = folder + "byteorder";
    if (!archive.find(name))
        return;
    const std::string order = archive.readText(name, 100);
    if (order != "little" && order != "little\n")
        throw trace::Refusal({.what = "The checkpoint was written on another kind of machine",
                              .where = archive.where(),
                              .expected = "byte order little",
                              .found = "byte order " + printable(order),
                              .wayOut = "Save the weights again on a little-endian machine."});
}

Pickle readPickle(const ZipArchive& archive, const std::string& name) {
    const FileBytes bytes = archive.read(name, maximumPickleBytes);
    const std::string where = archive.where() + ", entry " + printable(name);
    Pickle pickle = unpickle(bytes, where);
    if (pickle.bytes != bytes.size())
        throw trace::Refusal({.what = "The pickle was refused",
                              .where = where,
                              .expected = "the end after " + std::to_string(pickle.bytes) + " bytes",
                              .found = std::to_string(bytes.size()) + " bytes",
                              .wayOut = "Save the weights again: torch.save(model.state_dict(), file)."});
    return pickle;
}

} // namespace

TensorFile readTorchZip(const std::filesystem::path& path, const std::stop_token& stop) {
    const ZipArchive archive = ZipArchive::open(path);
    const std::string folder = folderOf(archive);
    refuseBigEndian(archive, folder);
    const Pickle pickle = readPickle(archive, folder + "data.pkl");
    const auto entryName = [&](const PickleStorage& storage) { return folder + "data/" + storage.key; };
    const StorageSource source{.size = [&](const PickleStorage& storage) -> std::optional<std::uint64_t> {
                                   const ZipEntry* entry = archive.find(entryName(storage));
                                   return entry ? std::optional(entry->size) : std::nullopt;
                               },
                               .read = [&](const PickleStorage& storage) -> StorageBytes {
                                   return {std::make_shared<const FileBytes>(
                                       archive.read(entryName(storage), archive.archiveBytes(), stop))};
                               },
                               .maximumBytes = archive.archiveBytes()};
    return {.format = "PyTorch (zip)",
            .tensors = loadTensors(pickle, findTensors(pickle, archive.where()), source, archive.where()),
            .values = plainValues(pickle)};
}

Pickle readTorchZipObject(const std::filesystem::path& path) {
    const ZipArchive archive = ZipArchive::open(path);
    return readPickle(archive, folderOf(archive) + "data.pkl");
}

} // namespace headscope::files
