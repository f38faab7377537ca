#include "model/files/torch/torch_storage.h"

#include <algorithm>
#include <limits>
#include <map>

#include "model/files/findings.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

/// Limits for views that repeat their storage (strides of 0) or share it: copying the tensors would need
/// memory for all their elements. In total they may have 16 times the storages' bytes, or 64 MiB if that is
/// more.
constexpr std::size_t maximumRepeatedElements = std::size_t{1} << 28; // of one view
constexpr std::uint64_t maximumRepetition = 16;                       // of all views together
constexpr std::uint64_t freelyRepeatedBytes = std::uint64_t{64} << 20;

/// Returns the index after the last element of the storage that a view uses; 0 if the view has no elements,
/// empty on overflow.
std::optional<std::int64_t> endOf(const PickleTensor& tensor) {
    if (!checkedProduct(tensor.shape))
        return std::nullopt;
    if (std::ranges::find(tensor.shape, 0) != tensor.shape.end())
        return 0;
    std::int64_t last = tensor.offset;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(tensor.shape[axis] - 1, tensor.strides[axis], &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return std::nullopt;
    }
    std::int64_t end = 0;
    if (__builtin_add_overflow(last, 1, &end))
        return std::nullopt;
    return end;
}

std::string storageFinding(const PickleStorage& storage, const StorageSource& source) {
    const bool isNumber = !storage.key.empty() && std::ranges::all_of(storage.key, [](char character) {
        return character >= '0' && character <= '9';
    });
    if (!isNumber)
        return "storage key \"" + printable(storage.key) + "\", which is no number";
    if (!storage.type)
        return "elements of " + printable(*storage.typeName) + ", which are not known here";
    const auto size = source.size(storage);
    if (!size)
        return "storage " + storage.key + " is missing";
    const auto needed =
        storage.elements < 0 ? std::nullopt : checkedProduct(storage.elements, sizeOf(*storage.type));
    if (needed != *size)
        return "storage " + storage.key + " should hold " + std::to_string(storage.elements) +
               " elements of " + std::string(name(*storage.type)) + " and has " + std::to_string(*size) +
               " bytes";
    return "";
}

std::string viewFinding(const PickleTensor& tensor, const PickleStorage& storage) {
    if (tensor.shape.size() > maximumRank)
        return std::to_string(tensor.shape.size()) + " dimensions";
    if (tensor.offset < 0)
        return "a negative offset";
    if (std::ranges::any_of(tensor.shape, [](std::int64_t size) { return size < 0; }))
        return "shape " + shapeText(tensor.shape) + " with a negative size";
    if (std::ranges::any_of(tensor.strides, [](std::int64_t stride) { return stride < 0; }))
        return "strides " + shapeText(tensor.strides) + " with a negative one";
    const auto end = endOf(tensor);
    if (!end)
        return "shape " + shapeText(tensor.shape) + " overflows";
    if (*end > storage.elements || tensor.offset > storage.elements)
        return "shape " + shapeText(tensor.shape) + ", strides " + shapeText(tensor.strides) +
               " and offset " + std::to_string(tensor.offset) + " leave its storage of " +
               std::to_string(storage.elements) + " elements";
    const std::size_t elements = *checkedProduct(tensor.shape);
    if (elements > maximumRepeatedElements && std::cmp_greater(elements, storage.elements))
        return "shape " + shapeText(tensor.shape) + " repeats a storage of " +
               std::to_string(storage.elements) + " elements";
    return "";
}

void check(const Pickle& pickle, PickledTensors& found, const StorageSource& source,
           const std::string& where) {
    std::map<std::string, std::uint64_t> sizes;
    std::uint64_t total = 0;
    std::uint64_t copied = 0; // if every view is copied; saturates
    for (const auto& [name, id] : found.tensors) {
        const PickleTensor& tensor = *pickle.as<PickleTensor>(id);
        const PickleStorage& storage = *pickle.as<PickleStorage>(tensor.storage);
        std::string finding = storageFinding(storage, source);
        if (finding.empty())
            finding = viewFinding(tensor, storage);
        if (!finding.empty())
            found.findings.add(printable(name) + ": " + finding);
        else {
            if (const std::uint64_t size = *source.size(storage); sizes.emplace(storage.key, size).second)
                total += size; // parts of one file: cannot overflow
            const auto bytes = checkedProduct(*checkedProduct(tensor.shape), sizeOf(*storage.type));
            if (!bytes || __builtin_add_overflow(copied, *bytes, &copied))
                copied = std::numeric_limits<std::uint64_t>::max();
        }
    }
    if (total > source.maximumBytes)
        found.findings.add("storages of " + std::to_string(total) + " bytes in a file of " +
                           std::to_string(source.maximumBytes));
    if (copied > freelyRepeatedBytes && copied / maximumRepetition > total)
        found.findings.add("tensors that repeat storages of " + std::to_string(total) + " bytes to " +
                           std::to_string(copied));
    if (!found.findings.empty())
        throw trace::Refusal({.what = "The checkpoint has tensors that cannot be read",
                              .where = where,
                              .expected =
                                  "dense tensors of bool, integers or floating point numbers, each within "
                                  "its storage",
                              .found = found.findings.text(),
                              .wayOut = "Save the weights again, as float32 on the CPU: torch.save({k: "
                                        "v.cpu().float() for k, v in model.state_dict().items()}, file)."});
}

} // namespace

std::vector<StoredTensor> loadTensors(const Pickle& pickle, PickledTensors found, const StorageSource& source,
                                      const std::string& where) {
    check(pickle, found, source, where);
    std::map<std::string, StorageBytes> storages;
    std::vector<StoredTensor> tensors;
    tensors.reserve(found.tensors.size());
    for (NamedPickleTensor& named : found.tensors) {
        const PickleTensor& tensor = *pickle.as<PickleTensor>(named.tensor);
        const PickleStorage& storage = *pickle.as<PickleStorage>(tensor.storage);
        StorageBytes& content = storages[storage.key];
        if (!content.bytes)
            content = source.read(storage);
        tensors.push_back({.name = std::move(named.name),
                           .type = *storage.type,
                           .shape = tensor.shape,
                           .strides = tensor.strides,
                           .bytes = content.bytes,
                           .offset = content.offset + tensor.offset * sizeOf(*storage.type)});
    }
    return tensors;
}

} // namespace headscope::files
