#include "model/checkpoint/tensor_lookup.h"

#include "model/checkpoint/network_prefix.h"
#include "model/network/network_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace headscope::checkpoint {

namespace {

/// Limits a tensor to a range of its rows; false if they cannot be divided so.
bool cut(files::StoredTensor& tensor, const TensorPart& part, const HeadCounts& heads) {
    auto first = part.part, count = std::int64_t{1}, units = part.parts;
    if (part.division == TensorPart::Division::HeadKinds) {
        units = heads.queries + 2 * heads.keyValues;
        first = part.part == 0 ? 0 : heads.queries + (part.part - 1) * heads.keyValues;
        count = part.part == 0 ? heads.queries : heads.keyValues;
    }
    if (units < 1 || tensor.shape[0] % units != 0)
        return false;
    const auto rows = tensor.shape[0] / units;
    tensor.offset += files::bytesOf(tensor.type, first * rows * tensor.strides[0]);
    tensor.shape[0] = count * rows;
    return true;
}

/// Rows [first, first + count) of each of `units` equal parts.
struct WovenRows {
    std::int64_t units = 0; ///< 0: the tensor cannot be divided so
    std::int64_t first = 0;
    std::int64_t count = 0;
};

WovenRows wovenRows(const files::StoredTensor& tensor, const TensorPart& part, std::int64_t heads) {
    const auto all = tensor.shape[0];
    if (part.division == TensorPart::Division::PerHead) {
        if (heads < 1 || all % (heads * part.parts) != 0)
            return {};
        const auto rows = all / (heads * part.parts);
        return {.units = heads, .first = part.part * rows, .count = rows};
    }
    // Heads of these programs are as wide as d_model / heads, which tells how many heads share.
    const auto width = tensor.shape.size() == 2 && heads > 0 ? tensor.shape[1] / heads : 0;
    const auto groups = width > 0 ? (all / width - heads) / 2 : 0;
    if (groups < 1 || heads % groups != 0 || (heads + 2 * groups) * width != all)
        return {};
    const auto queries = heads / groups;
    return {.units = groups,
            .first = part.part == 0 ? 0 : (queries + part.part - 1) * width,
            .count = part.part == 0 ? queries * width : width};
}

/// Returns a copy of the rows that a part has in every head or group, one after the other; without shape if
/// they cannot be divided so.
files::StoredTensor gathered(const files::StoredTensor& tensor, const TensorPart& part, std::int64_t heads) {
    const auto woven = wovenRows(tensor, part, heads);
    if (woven.units == 0 || tensor.strides != files::contiguousStrides(tensor.shape))
        return {};
    const std::size_t row = files::bytesOf(tensor.type, tensor.strides[0]);
    const auto perUnit = tensor.shape[0] / woven.units;
    std::vector<std::byte> copy;
    for (std::int64_t unit = 0; unit < woven.units; ++unit) {
        const auto* first = tensor.bytes->data() + tensor.offset + (unit * perUnit + woven.first) * row;
        copy.insert(copy.end(), first, first + woven.count * row);
    }
    auto all = tensor;
    all.shape[0] = woven.units * woven.count;
    all.offset = 0;
    all.bytes = std::make_shared<const files::FileBytes>(copy);
    return all;
}

} // namespace

TensorLookup::TensorLookup(const files::TensorFile& file, const Family& family, LookupOptions options)
    : family_(family), options_(std::move(options)) {
    const auto plain = [&](const std::string& name) { return nameInFamily(name, options_.prefix, family); };
    for (const auto& tensor : file.tensors)
        if (const auto name = plain(tensor.name))
            byName_[*name] = &tensor;
        else
            strangers_.insert(tensor.name);
    // Writers that store tied tensors once map the dropped names to the kept ones in the metadata.
    for (const auto& [dropped, kept] : file.metadata)
        if (const auto name = plain(dropped), keptName = plain(kept); name && keptName)
            if (const auto found = byName_.find(*keptName); found != byName_.end())
                byName_.emplace(*name, found->second);
}

std::string TensorLookup::nameOf(const files::StoredTensor& tensor) const {
    return nameInFamily(tensor.name, options_.prefix, family_).value_or(tensor.name);
}

std::set<std::string> TensorLookup::names() const {
    auto names = strangers_;
    for (const auto& [name, tensor] : byName_)
        names.insert(name);
    return names;
}

const files::StoredTensor* TensorLookup::stored(const std::string& role) const {
    const auto name = family_.tensorName(role);
    if (!name)
        return nullptr;
    const auto part = partOf(*name);
    const auto found = byName_.find(part.name);
    if (found == byName_.end())
        return nullptr;
    if (part.parts == 1 && !part.isTransposed)
        return found->second;
    files::StoredTensor slice = *found->second;
    const bool areBlocks = files::isInBlocks(slice.type);
    if (slice.shape.empty() || (part.isTransposed && (slice.shape.size() != 2 || areBlocks)))
        return nullptr;
    if (areBlocks && slice.shape.size() < 2) // only rows are whole blocks
        return nullptr;
    if (part.isTransposed) {
        std::swap(slice.shape[0], slice.shape[1]);
        std::swap(slice.strides[0], slice.strides[1]);
    }
    if (part.division == TensorPart::Division::PerHead || part.division == TensorPart::Division::PerGroup)
        slice = gathered(slice, part, options_.heads.queries);
    else if (!cut(slice, part, options_.heads))
        return nullptr;
    if (slice.shape.empty())
        return nullptr;
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
    if (options_.tiesStacks)
        if (const auto* tensor = stored(network::roleInOtherStack(role)))
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
    if (bracket != name.npos && name.back() == ']') {
        std::string_view inside(name);
        inside = inside.substr(bracket + 1, name.size() - bracket - 2);
        part.name = name.substr(0, bracket);
        constexpr std::array<std::string_view, 3> kinds{"query heads", "key heads", "value heads"};
        constexpr std::string_view perHead = " per head", perGroup = " per group";
        const bool isPerGroup = inside.ends_with(perGroup);
        if (isPerGroup)
            inside.remove_suffix(perGroup.size());
        if (const auto kind = std::ranges::find(kinds, inside); kind != kinds.end()) {
            part.part = kind - kinds.begin();
            part.parts = 3;
            part.division = isPerGroup ? TensorPart::Division::PerGroup : TensorPart::Division::HeadKinds;
        } else {
            if (inside.ends_with(perHead)) {
                inside.remove_suffix(perHead.size());
                part.division = TensorPart::Division::PerHead;
            }
            const auto slash = std::min(inside.find('/'), inside.size());
            std::int64_t index = 0, count = 0;
            std::from_chars(inside.data(), inside.data() + slash, index);
            if (slash < inside.size())
                std::from_chars(inside.data() + slash + 1, inside.data() + inside.size(), count);
            if (count < 1 || index < 0 || index >= count)
                return {name};
            part.part = index;
            part.parts = count;
        }
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
