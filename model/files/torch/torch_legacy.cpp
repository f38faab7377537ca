#include "model/files/torch/torch_legacy.h"

#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include "model/files/findings.h"
#include "model/files/read_file.h"
#include "model/files/torch/pickled_tensors.h"
#include "model/files/torch/pickled_values.h"
#include "model/files/torch/torch_storage.h"
#include "model/files/torch/unpickler.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

[[noreturn]] void refuseLegacyFile(const std::string& where, const std::string& expected,
                                   const std::string& found) {
    throw trace::Refusal({.what = "The PyTorch file was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "Load it in PyTorch and save its state_dict() again."});
}

Pickle takePickle(std::span<const std::byte>& rest, const std::string& where) {
    Pickle pickle = unpickle(rest, where);
    rest = rest.subspan(pickle.bytes);
    return pickle;
}

void refuseBigEndian(const Pickle& system, const std::string& where) {
    const auto* dict = system.as<PickleDict>(system.root);
    if (!dict)
        refuseLegacyFile(where, "a dictionary about the system", describe(system[system.root]));
    for (const auto& [key, value] : dict->items) {
        const auto* name = system.as<std::string>(key);
        const auto* little = system.as<bool>(value);
        if (name && *name == "little_endian" && !(little && *little))
            refuseLegacyFile(where, "little-endian numbers", "big-endian ones");
    }
}

/// Reads the object after the pickles that describe the format.
Pickle takeObject(std::span<const std::byte>& rest, const std::string& where) {
    takePickle(rest, where + ", magic number");
    const Pickle version = takePickle(rest, where + ", protocol version");
    if (const auto* number = version.as<std::int64_t>(version.root); !number || *number != 1001)
        refuseLegacyFile(where, "protocol version 1001", describe(version[version.root]));
    refuseBigEndian(takePickle(rest, where + ", system"), where);
    return takePickle(rest, where + ", object");
}

/// Returns the element size of each storage in bytes; the file gives their lengths in elements.
std::unordered_map<std::string, std::size_t> elementSizes(const Pickle& object) {
    std::unordered_map<std::string, std::size_t> sizes;
    for (const PickleValue& value : object.values)
        if (const auto* storage = std::get_if<PickleStorage>(&value); storage && storage->type)
            sizes.emplace(storage->key, sizeOf(*storage->type));
    return sizes;
}

/// Splits the bytes after the pickles into storages.
std::map<std::string, std::span<const std::byte>> storagesIn(std::span<const std::byte> rest,
                                                             const Pickle& keys, const Pickle& object,
                                                             const std::string& where) {
    const auto* list = keys.as<PickleList>(keys.root);
    if (!list)
        refuseLegacyFile(where, "a list of storages", describe(keys[keys.root]));
    const auto sizes = elementSizes(object);
    std::map<std::string, std::span<const std::byte>> storages;
    for (const PickleId id : list->items) {
        const auto* key = keys.as<std::string>(id);
        const auto size = key ? sizes.find(*key) : sizes.end();
        if (size == sizes.end())
            refuseLegacyFile(where, "storages of known elements", describe(keys[id]));
        std::uint64_t elements = 0;
        for (std::size_t i = std::min<std::size_t>(8, rest.size()); i-- > 0;)
            elements = elements << 8 | std::to_integer<std::uint64_t>(rest[i]);
        const auto bytes = checkedProduct(elements, size->second);
        if (rest.size() < 8 || !bytes || *bytes > rest.size() - 8)
            refuseLegacyFile(where,
                             "storage " + printable(*key) + " of " + std::to_string(elements) + " elements",
                             "the end of the file");
        if (!storages.emplace(*key, rest.subspan(8, *bytes)).second)
            refuseLegacyFile(where, "each storage once", "storage " + printable(*key) + " twice");
        rest = rest.subspan(8 + *bytes);
    }
    if (!rest.empty())
        refuseLegacyFile(where, "the end of the file", std::to_string(rest.size()) + " more bytes");
    return storages;
}

} // namespace

TensorFile readTorchLegacy(const std::filesystem::path& path, const std::stop_token& stop) {
    const std::string where = path.string();
    const auto bytes = readFile(path, defaultMaximumFileBytes, stop);
    std::span<const std::byte> rest = *bytes;
    const Pickle object = takeObject(rest, where);
    const Pickle keys = takePickle(rest, where + ", storage keys");
    const auto storages = storagesIn(rest, keys, object, where);
    const StorageSource source{
        .size = [&](const PickleStorage& storage) -> std::optional<std::uint64_t> {
            const auto found = storages.find(storage.key);
            return found == storages.end() ? std::nullopt
                                           : std::optional<std::uint64_t>(found->second.size());
        },
        .read = [&](const PickleStorage& storage) -> StorageBytes {
            return {bytes, static_cast<std::size_t>(storages.at(storage.key).data() - bytes->data())};
        },
        .maximumBytes = bytes->size()};
    return {.format = "PyTorch (before 1.6)",
            .tensors = loadTensors(object, findTensors(object, where), source, where),
            .values = plainValues(object)};
}

Pickle readTorchLegacyObject(const std::filesystem::path& path) {
    const auto bytes = readFile(path);
    std::span<const std::byte> rest = *bytes;
    return takeObject(rest, path.string());
}

} // namespace headscope::files
