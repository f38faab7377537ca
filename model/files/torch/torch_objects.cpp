#include "model/files/torch/torch_objects.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headscope::files {

namespace {

/// Keys are decimal numbers. A long key is refused, because it would be copied with every reference.
constexpr std::size_t maximumKeyBytes = 20;

std::optional<ElementType> storageElements(std::string_view typeName) {
    struct Storage {
        std::string_view name;
        ElementType type;
    };
    constexpr std::array<Storage, 10> storages = {{{"torch.FloatStorage", ElementType::Float32},
                                                   {"torch.DoubleStorage", ElementType::Float64},
                                                   {"torch.HalfStorage", ElementType::Float16},
                                                   {"torch.BFloat16Storage", ElementType::BFloat16},
                                                   {"torch.LongStorage", ElementType::Int64},
                                                   {"torch.IntStorage", ElementType::Int32},
                                                   {"torch.ShortStorage", ElementType::Int16},
                                                   {"torch.CharStorage", ElementType::Int8},
                                                   {"torch.ByteStorage", ElementType::UInt8},
                                                   {"torch.BoolStorage", ElementType::Bool}}};
    for (const Storage& storage : storages)
        if (storage.name == typeName)
            return storage.type;
    return std::nullopt;
}

/// PyTorch's own limit. maximumRank is lower, but larger tensors must be recognised to name them in errors.
constexpr std::size_t maximumSizes = 64;

std::optional<std::vector<std::int64_t>> sizesOf(const Pickle& pickle, PickleId id) {
    const auto* tuple = pickle.as<PickleTuple>(id);
    if (!tuple || tuple->items.size() > maximumSizes)
        return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const PickleId item : tuple->items) {
        const auto* size = pickle.as<std::int64_t>(item);
        if (!size)
            return std::nullopt;
        sizes.push_back(*size);
    }
    return sizes;
}

/// _rebuild_tensor(storage, offset, shape, strides); further arguments of _v2 matter only for training.
std::optional<PickleId> rebuildTensor(Pickle& pickle, const PickleTuple& arguments) {
    if (arguments.items.size() < 4 || !pickle.as<PickleStorage>(arguments.items[0]))
        return std::nullopt;
    const auto* offset = pickle.as<std::int64_t>(arguments.items[1]);
    auto shape = sizesOf(pickle, arguments.items[2]);
    auto strides = sizesOf(pickle, arguments.items[3]);
    if (!offset || !shape || !strides || shape->size() != strides->size())
        return std::nullopt;
    pickle.values.emplace_back(PickleTensor{.storage = arguments.items[0],
                                            .offset = *offset,
                                            .shape = std::move(*shape),
                                            .strides = std::move(*strides)});
    return static_cast<PickleId>(pickle.values.size() - 1);
}

/// _rebuild_parameter(tensor, requires_grad, hooks) and LibTorch's restore_type_tag(value, type) return the
/// value itself.
std::optional<PickleId> firstArgument(const PickleTuple& arguments) {
    if (arguments.items.empty())
        return std::nullopt;
    return arguments.items[0];
}

bool rebuildsTensor(const std::string& name) {
    return name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor";
}

bool isTransparent(const std::string& name) {
    return name == "torch._utils._rebuild_parameter" ||
           name == "torch._utils._rebuild_parameter_with_state" ||
           name == "torch.jit._pickle.restore_type_tag";
}

/// _rebuild_from_type_v2(function, type, arguments, state): a tensor subclass, read as a plain tensor. Only
/// one level is followed, so that a file cannot cause deep recursion.
std::optional<PickleId> rebuildFromType(Pickle& pickle, const PickleTuple& arguments) {
    if (arguments.items.size() < 3)
        return std::nullopt;
    const auto* function = pickle.as<PicklePlaceholder>(arguments.items[0]);
    const auto* inner = pickle.as<PickleTuple>(arguments.items[2]);
    if (!function || function->arguments || !inner)
        return std::nullopt;
    // A copy, because adding a value may reallocate the others; of at most 4 arguments, because a file may
    // contain many.
    const auto used = std::min<std::size_t>(inner->items.size(), 4);
    const PickleTuple innerArguments{
        {inner->items.begin(), inner->items.begin() + static_cast<std::ptrdiff_t>(used)}};
    if (rebuildsTensor(function->name()))
        return rebuildTensor(pickle, innerArguments);
    return isTransparent(function->name()) ? firstArgument(innerArguments) : std::nullopt;
}

} // namespace

std::optional<PickleId> torchCall(Pickle& pickle, PickleId function, const PickleTuple& arguments) {
    const auto* placeholder = pickle.as<PicklePlaceholder>(function);
    if (!placeholder || placeholder->arguments)
        return std::nullopt;
    const std::string name = placeholder->name();
    if (rebuildsTensor(name))
        return rebuildTensor(pickle, arguments);
    if (isTransparent(name))
        return firstArgument(arguments);
    if (name == "torch._tensor._rebuild_from_type_v2")
        return rebuildFromType(pickle, arguments);
    if (name == "torch.Size" && arguments.items.size() == 1 && pickle.as<PickleTuple>(arguments.items[0]))
        return arguments.items[0];
    if (name == "collections.OrderedDict" && arguments.items.empty()) {
        pickle.values.emplace_back(PickleDict{});
        return static_cast<PickleId>(pickle.values.size() - 1);
    }
    return std::nullopt;
}

std::optional<PickleStorage> torchStorage(const Pickle& pickle, PickleId persistentId) {
    const auto* id = pickle.as<PickleTuple>(persistentId);
    if (!id || id->items.size() < 5 || id->items.size() > 6)
        return std::nullopt;
    // The sixth item marks a view of another storage; PyTorch has not written such views since 0.4.
    if (id->items.size() == 6 && !pickle.as<std::monostate>(id->items[5]))
        return std::nullopt;
    const auto* word = pickle.as<std::string>(id->items[0]);
    const auto* type = pickle.as<PicklePlaceholder>(id->items[1]);
    const auto* key = pickle.as<std::string>(id->items[2]);
    const auto* elements = pickle.as<std::int64_t>(id->items[4]);
    if (!word || *word != "storage" || !type || !key || key->size() > maximumKeyBytes || !elements)
        return std::nullopt;
    return PickleStorage{.key = *key,
                         .type = storageElements(type->name()),
                         .typeName = type->sharedName,
                         .elements = *elements};
}

std::optional<PickleId> torchModuleClass(const Pickle& pickle, PickleId persistentId) {
    const auto* id = pickle.as<PickleTuple>(persistentId);
    const auto* word = id && id->items.size() == 4 ? pickle.as<std::string>(id->items[0]) : nullptr;
    if (!word || *word != "module")
        return std::nullopt;
    return id->items[1];
}

} // namespace headscope::files
