#include "model/checkpoint/tensor_lookup.h"

#include <algorithm>

namespace headscope::checkpoint {

TensorLookup::TensorLookup(const files::TensorFile& file, const Family& family) : family_(family) {
    for (const auto& tensor : file.tensors)
        byName_[tensor.name] = &tensor;
    // Writers that drop duplicates leave the dropped name in the metadata: dropped -> kept.
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
    const auto found = name ? byName_.find(*name) : byName_.end();
    return found == byName_.end() ? nullptr : found->second;
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

std::vector<std::int64_t> withoutLeadingOnes(const std::vector<std::int64_t>& shape, std::size_t rank) {
    auto first = shape.begin();
    while (static_cast<std::size_t>(shape.end() - first) > rank && *first == 1)
        ++first;
    return {first, shape.end()};
}

} // namespace headscope::checkpoint
