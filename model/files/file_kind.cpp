#include "model/files/file_kind.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "model/files/file_descriptor.h"
#include "model/files/findings.h"
#include "model/files/read_file.h"
#include "model/files/safetensors.h"
#include "model/files/safetensors_header.h"
#include "model/files/shard_index.h"
#include "model/files/torch_legacy.h"
#include "model/files/torch_zip.h"
#include "model/files/zip_archive.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using namespace std::string_view_literals;

struct ForeignKind {
    std::size_t position;
    std::string_view start;
    const char* kind;
    const char* wayOut;
};

constexpr const char* asSafetensors = "Convert it to safetensors, for example with the program that made it.";
constexpr const char* unpack = "Unpack it and open what is in it.";
constexpr const char* download = "Fetch the file itself: what was saved is only a page or a note about it.";
constexpr const char* exportWeights = "Open the model where it came from and save its state_dict().";

/// Files that people have beside their weights, and files that stand where the weights should be.
constexpr std::array<ForeignKind, 17> foreignKinds = {{
    {0, "GGUF"sv, "a GGUF model of llama.cpp", "Open the original safetensors or PyTorch files instead."},
    {0, "ggml"sv, "a GGML model of llama.cpp", "Open the original safetensors or PyTorch files instead."},
    {0, "\x93NUMPY"sv, "a NumPy array", "Collect the arrays under their names and save them as safetensors."},
    {0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file (Keras)", asSafetensors},
    {257, "ustar"sv, "a tar archive (an old PyTorch or NeMo format)",
     "Load it in PyTorch and save it again."},
    {0, "\x1F\x8B"sv, "a gzip file", unpack},
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "an xz file", unpack},
    {0, "BZh"sv, "a bzip2 file", unpack},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7-zip archive", unpack},
    {0, "\x28\xB5\x2F\xFD"sv, "a zstd file", unpack},
    {0, "version https://git-lfs"sv, "a Git LFS pointer", "Fetch the file itself with git lfs pull."},
    {0, "<!DOCTYPE"sv, "a web page", download},
    {0, "<html"sv, "a web page", download},
    {4, "TFL3"sv, "a TensorFlow Lite model", exportWeights},
    {0, "\x08"sv, "perhaps an ONNX model", exportWeights},
    {0, "\x80"sv, "a Python pickle that PyTorch did not write", exportWeights},
    {0, "{"sv, "JSON text", "Open the folder it lies in, or the weights beside it."},
}};

constexpr std::string_view zipStart = "PK\x03\x04"sv;
constexpr std::string_view legacyStart = "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19\x2E"sv;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found, const char* wayOut) {
    throw trace::Refusal({.what = "The file holds no weights that can be read",
                          .where = path.string(),
                          .expected = "safetensors, or a file of torch.save",
                          .found = found,
                          .wayOut = wayOut});
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
        refuse(path, "NumPy arrays (npz)", "Save the arrays as safetensors under the names of the weights.");
    refuse(path, "a zip archive of something else", unpack);
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
    // A file cut off right after its length is still meant to be one: its reader says what is missing.
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
    case FileKind::ShardIndex:
        refuse(path, "an index of shards in the place of a shard", download);
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

/// Moves a shard's tensors to those of the whole, and says where they are not what the index promises.
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

TensorFile readShards(const std::filesystem::path& path, const std::stop_token& stop) {
    const ShardIndex index = parseShardIndex(readText(path, maximumShardIndexBytes), path.string());
    refuseMissingShards(index, path);
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

} // namespace

FileKind fileKind(const std::filesystem::path& path) {
    const OpenFile file = openForReading(path);
    std::string start(std::min<std::uint64_t>(file.size, 512), '\0');
    readExactly(file.descriptor, std::as_writable_bytes(std::span(start)), path);
    if (start.starts_with(zipStart))
        return kindOfZip(path);
    if (start.starts_with(legacyStart))
        return FileKind::TorchLegacy;
    if (isSafetensors(start, file.size))
        return FileKind::Safetensors;
    if (start.empty())
        refuse(path, "an empty file", download);
    if (isShardIndex(start, file, path))
        return FileKind::ShardIndex;
    for (const ForeignKind& foreign : foreignKinds)
        if (std::string_view(start)
                .substr(std::min(foreign.position, start.size()))
                .starts_with(foreign.start))
            refuse(path, foreign.kind, foreign.wayOut);
    refuse(path, "a file of an unknown kind", exportWeights);
}

TensorFile readTensorFile(const std::filesystem::path& path, const std::stop_token& stop) {
    const FileKind kind = fileKind(path);
    return kind == FileKind::ShardIndex ? readShards(path, stop) : readWeights(path, kind, stop);
}

} // namespace headscope::files
