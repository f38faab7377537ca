#include "model/files/file_kind.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "model/files/available_memory.h"
#include "model/files/file_descriptor.h"
#include "model/files/findings.h"
#include "model/files/foreign_file.h"
#include "model/files/gguf.h"
#include "model/files/gguf_header.h"
#include "model/files/npz_tensors.h"
#include "model/files/parallel_parts.h"
#include "model/files/read_file.h"
#include "model/files/safetensors.h"
#include "model/files/safetensors_header.h"
#include "model/files/shard_index.h"
#include "model/files/torch/torch_legacy.h"
#include "model/files/torch/torch_zip.h"
#include "model/files/zip_archive.h"

namespace headscope::files {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view zipStart = "PK\x03\x04"sv;
constexpr std::string_view legacyStart = "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19\x2E"sv;

/// ", with a.txt, b.txt": helps a person to recognise the archive.
std::string firstNames(const ZipArchive& archive) {
    std::string names;
    for (const ZipEntry& entry :
         std::span(archive.entries()).first(std::min<std::size_t>(archive.entries().size(), 3)))
        names += (names.empty() ? ", with " : ", ") + printable(entry.name, 40);
    return names;
}

FileKind kindOfZip(const std::filesystem::path& path) {
    const ZipArchive archive = ZipArchive::open(path);
    const auto any = [&](const auto& matches) { return std::ranges::any_of(archive.entries(), matches); };
    const bool hasPickle = any([](const ZipEntry& entry) { return entry.name.ends_with("/data.pkl"); });
    if (hasPickle && any([](const ZipEntry& entry) { return entry.name.ends_with("/constants.pkl"); }))
        return FileKind::TorchScript;
    if (hasPickle)
        return FileKind::TorchZip;
    if (any([](const ZipEntry& entry) { return entry.name.ends_with(".npy"); }))
        return FileKind::Npz;
    if (any([](const ZipEntry& entry) { return entry.name.ends_with(".h5"); }))
        refuseForeign(path, "a Keras archive (.keras)",
                      "Convert it: load it in Keras and write its weights with safetensors.numpy.save_file.");
    refuseForeign(path, "a zip archive without a data.pkl" + firstNames(archive),
                  "Unpack it and open what is in it.");
}

bool isSafetensors(std::string_view start, std::uint64_t fileBytes) {
    if (start.size() < 8)
        return false;
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(start[i]);
    if (length > maximumSafetensorsHeaderBytes)
        return false;
    const std::size_t first = start.find_first_not_of(" \t\r\n", 8);
    // A file cut off right after its length counts as safetensors; its reader reports what is missing.
    return first == std::string_view::npos ? start.size() == fileBytes : start[first] == '{';
}

bool isShardIndex(std::string_view start, const OpenFile& file, const std::filesystem::path& path) {
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && start[first] == '{' && file.size <= maximumShardIndexBytes &&
           readText(path, maximumShardIndexBytes).find("\"weight_map\"") != std::string::npos;
}

TensorFile readWeights(const std::filesystem::path& path, FileKind kind, const std::stop_token& stop) {
    switch (kind) {
    case FileKind::TorchZip:
    case FileKind::TorchScript:
        return readTorchZip(path, stop);
    case FileKind::TorchLegacy:
        return readTorchLegacy(path, stop);
    case FileKind::Npz:
        return readNpzTensors(path, stop);
    case FileKind::Gguf:
        return readGguf(path, stop);
    case FileKind::ShardIndex:
        refuseForeign(path, "an index of shards in the place of a shard",
                      "fetch the shards and their index again, all from one place");
    case FileKind::Safetensors:
        break;
    }
    return readSafetensors(path, stop);
}

[[noreturn]] void refuseShards(const std::filesystem::path& index, const std::string& expected,
                               const Findings& findings) {
    throw trace::Refusal({.what = "The shards do not make up the model",
                          .where = index.string(),
                          .expected = expected,
                          .found = findings.text(),
                          .wayOut = "fetch the shards and their index again, all from one place"});
}

void refuseMissingShards(const ShardIndex& index, const std::filesystem::path& path) {
    Findings findings;
    for (const auto& [shard, tensors] : index.tensorsOf)
        if (std::error_code ignored; !std::filesystem::is_regular_file(path.parent_path() / shard, ignored))
            findings.add(printable(shard) + " is missing");
    if (!findings.empty())
        refuseShards(path, std::to_string(index.tensorsOf.size()) + " shards beside the index", findings);
}

/// Moves a shard's tensors to `whole` and reports differences from the index in `findings`.
void takeShard(TensorFile& whole, TensorFile shard, const std::string& name,
               const std::set<std::string>& promised, std::map<std::string, std::string>& shardOf,
               Findings& findings) {
    std::set<std::string> held;
    for (StoredTensor& tensor : shard.tensors) {
        held.insert(tensor.name);
        const auto [first, isNew] = shardOf.emplace(tensor.name, name);
        if (isNew)
            whole.tensors.push_back(std::move(tensor));
        else
            findings.add(printable(tensor.name) + " is in " + first->second + " and in " + name);
    }
    for (const std::string& tensor : promised)
        if (!held.contains(tensor))
            findings.add(printable(tensor) + " is not in " + name);
    whole.metadata.merge(shard.metadata);
    whole.format = shard.format;
}

/// Also refuses files that are mapped: read from the disk for every token, they would be of no use.
void refuseMoreThanMemory(std::uint64_t bytes, const std::filesystem::path& path) {
    const auto needed = static_cast<double>(bytes);
    if (const auto available = availableMemory(); available && needed > *available)
        throw trace::Refusal({.what = "The tensors do not fit into this computer's memory",
                              .where = path.string(),
                              .expected = "at most " + bytesInWords(*available) + ", which is free now",
                              .found = bytesInWords(needed),
                              .wayOut = "close other programs or other models"});
}

TensorFile readShards(const std::filesystem::path& path, const std::stop_token& stop) {
    const ShardIndex index = parseShardIndex(readText(path, maximumShardIndexBytes), path.string());
    refuseMissingShards(index, path);
    std::uint64_t bytes = 0;
    for (const auto& [name, tensors] : index.tensorsOf)
        bytes += openForReading(path.parent_path() / name).size;
    refuseMoreThanMemory(bytes, path);
    TensorFile whole;
    std::map<std::string, std::string> shardOf; // tensor -> the first shard that has it
    Findings findings;
    for (const auto& [name, promised] : index.tensorsOf) {
        const auto shard = path.parent_path() / name;
        takeShard(whole, readWeights(shard, fileKind(shard), stop), name, promised, shardOf, findings);
    }
    if (whole.tensors.size() > maximumTensors)
        findings.add(std::to_string(whole.tensors.size()) + " tensors");
    if (!findings.empty())
        refuseShards(path, "each tensor once, in the shard that the index names", findings);
    whole.format += ", shards: " + std::to_string(index.tensorsOf.size());
    return whole;
}

TensorFile readParts(const std::vector<std::filesystem::path>& paths, const std::stop_token& stop) {
    std::uint64_t bytes = 0;
    for (const auto& path : paths)
        bytes += openForReading(path).size;
    refuseMoreThanMemory(bytes, paths.front());
    std::vector<TensorFile> parts;
    for (const auto& path : paths)
        parts.push_back(readWeights(path, fileKind(path), stop));
    return joinedParts(std::move(parts), paths.front().parent_path().string());
}

} // namespace

FileKind fileKind(const std::filesystem::path& path) {
    const OpenFile file = openForReading(path);
    std::string start(std::min<std::uint64_t>(file.size, 512), '\0');
    readExactly(file.descriptor, std::as_writable_bytes(std::span(start)), path);
    if (start.starts_with(zipStart))
        return kindOfZip(path);
    if (start.starts_with(legacyStart))
        return FileKind::TorchLegacy;
    if (start.starts_with(ggufStart))
        return FileKind::Gguf;
    if (isSafetensors(start, file.size))
        return FileKind::Safetensors;
    if (!start.empty() && isShardIndex(start, file, path))
        return FileKind::ShardIndex;
    refuseForeignFile(path, start);
}

TensorFile readTensorFile(const std::filesystem::path& path, const std::stop_token& stop) {
    if (isParallelPart(path))
        if (const auto parts = parallelParts(path); parts.size() > 1)
            return readParts(parts, stop);
    const FileKind kind = fileKind(path);
    if (kind == FileKind::ShardIndex)
        return readShards(path, stop);
    refuseMoreThanMemory(openForReading(path).size, path);
    return readWeights(path, kind, stop);
}

} // namespace headscope::files
