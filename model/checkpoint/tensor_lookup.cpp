#include "model/checkpoint/tensor_lookup.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace headscope::checkpoint {

TensorLookup::TensorLookup(const files::TensorFile& file, const Family& family) : family_(family) {
    for (const auto& tensor : file.tensors)
        byName_[family.withoutPrefix(tensor.name)] = &tensor;
    // Writers that store tied tensors once map the dropped names to the kept ones in the metadata.
    for (const auto& [dropped, kept] : file.metadata)
        if (const auto found = byName_.find(family.withoutPrefix(kept)); found != byName_.end())
            byName_.emplace(family.withoutPrefix(dropped), found->second);
}

std::set<std::string> TensorLookup::names() const {
    std::set<std::string> names;
    for (const auto& [name, tensor] : byName_)
        names.insert(name);
    return names;
}

const files::StoredTensor* TensorLookup::stored(const std::string& role) const {
    const auto name = family_.tensorName(role);
    if (!name)
        return nullptr;
    const auto [whole, isTransposed, part, parts] = partOf(*name);
    const auto found = byName_.find(whole);
    if (found == byName_.end())
        return nullptr;
    if (parts == 1 && !isTransposed)
        return found->second;
    files::StoredTensor slice = *found->second;
    if (slice.shape.empty() || (isTransposed && slice.shape.size() != 2))
        return nullptr;
    if (isTransposed) {
        std::swap(slice.shape[0], slice.shape[1]);
        std::swap(slice.strides[0], slice.strides[1]);
    }
    if (slice.shape[0] % parts != 0)
        return nullptr;
    slice.shape[0] /= parts;
    slice.offset +=
        static_cast<std::size_t>(part * slice.shape[0] * slice.strides[0]) * files::sizeOf(slice.type);
    return &parts_.insert_or_assign(*name, std::move(slice)).first->second;
}

int TensorLookup::countLayers(const std::string& rolePattern) const {
    const std::string mark = "{layer}";
    const auto at = rolePattern.find(mark);
    int layers = 0;
    while (stored(std::string(rolePattern).replace(at, mark.size(), std::to_string(layers))))
        ++layers;
    return layers;
}

const files::StoredTensor* TensorLookup::find(const std::string& role) const {
    if (const auto* tensor = stored(role))
        return tensor;
    const auto& tied = family_.tied;
    if (std::find(tied.begin(), tied.end(), role) != tied.end())
        for (const auto& other : tied)
            if (const auto* tensor = stored(other))
                return tensor;
    return nullptr;
}

bool TensorLookup::areTied(const std::string& role, const std::string& other) const {
    const auto* one = find(role);
    const auto* two = find(other);
    return one && two && (one == two || files::shareStorage(*one, *two));
}

TensorPart partOf(const std::string& name) {
    TensorPart part{name};
    const auto bracket = name.find('[');
    const auto slash = bracket == name.npos ? name.npos : name.find('/', bracket);
    if (slash != name.npos && name.back() == ']') {
        std::int64_t index = 0, count = 0;
        std::from_chars(name.data() + bracket + 1, name.data() + slash, index);
        std::from_chars(name.data() + slash + 1, name.data() + name.size() - 1, count);
        if (count < 1 || index < 0 || index >= count)
            return part;
        part = {.name = name.substr(0, bracket), .part = index, .parts = count};
    }
    constexpr std::string_view transposed = "^T";
    if (part.name.ends_with(transposed)) {
        part.isTransposed = true;
        part.name.resize(part.name.size() - transposed.size());
    }
    return part;
}

std::vector<std::int64_t> withoutOnes(std::vector<std::int64_t> shape, std::size_t rank) {
    while (shape.size() > rank) {
        const auto one = std::find(shape.begin(), shape.end(), 1);
        if (one == shape.end())
            break;
        shape.erase(one);
    }
    return shape;
}

} // namespace headscope::checkpoint
