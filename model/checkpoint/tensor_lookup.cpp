#include "model/checkpoint/tensor_lookup.h"

#include <algorithm>
#include <charconv>

namespace headscope::checkpoint {

TensorLookup::TensorLookup(const files::TensorFile& file, const Family& family) : family_(family) {
    for (const auto& tensor : file.tensors)
        byName_[tensor.name] = &tensor;
    // Writers that store tied tensors once map the dropped names to the kept ones in the metadata.
    for (const auto& [dropped, kept] : file.metadata)
        if (const auto found = byName_.find(kept); found != byName_.end())
            byName_.emplace(dropped, found->second);
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
    const auto [whole, part, parts] = partOf(*name);
    const auto found = byName_.find(whole);
    if (found == byName_.end())
        return nullptr;
    if (parts == 1)
        return found->second;
    const files::StoredTensor& fused = *found->second;
    if (fused.shape.empty() || fused.shape[0] % parts != 0)
        return nullptr;
    files::StoredTensor slice = fused;
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
    const auto bracket = name.find('[');
    const auto slash = bracket == name.npos ? name.npos : name.find('/', bracket);
    if (slash == name.npos || name.back() != ']')
        return {name};
    TensorPart part{name.substr(0, bracket)};
    std::from_chars(name.data() + bracket + 1, name.data() + slash, part.part);
    std::from_chars(name.data() + slash + 1, name.data() + name.size() - 1, part.parts);
    const bool sensible = part.parts >= 1 && part.part >= 0 && part.part < part.parts;
    return sensible ? part : TensorPart{name};
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
