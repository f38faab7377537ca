#include "model/files/parallel_parts.h"

#include "model/files/findings.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace headscope::files {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "consolidated.";
constexpr std::string_view partEnding = ".pth";
constexpr std::size_t mostParts = 100; // two digits

[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& found) {
    throw trace::Refusal({.what = "The parts do not make up the model",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "fetch all files of the model again, from one place"});
}

fs::path nameOfPart(std::size_t number) {
    return std::string(beginning) + (number < 10 ? "0" : "") + std::to_string(number) +
           std::string(partEnding);
}

/// Whether the columns of a matrix are divided, not its rows. `width` is that of the model.
bool areColumnsDivided(const StoredTensor& part, std::size_t parts, std::int64_t width) {
    const std::string_view name = part.name;
    if (name.ends_with("tok_embeddings.weight"))
        return part.shape[1] * static_cast<std::int64_t>(parts) == width;
    return name.ends_with(".wo.weight") || name.ends_with(".w2.weight");
}

/// Vectors are the same in all parts.
StoredTensor joined(const std::vector<StoredTensor*>& parts, std::int64_t width) {
    StoredTensor whole = *parts.front();
    if (whole.shape.size() != 2)
        return whole;
    const bool byColumns = areColumnsDivided(whole, parts.size(), width);
    const std::size_t rows = whole.shape[0];
    const std::size_t rowBytes = whole.shape[1] * sizeOf(whole.type);
    whole.shape[byColumns ? 1 : 0] *= static_cast<std::int64_t>(parts.size());
    whole.strides = contiguousStrides(whole.shape);
    FileBytes bytes(parts.size() * rows * rowBytes);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const auto* from = parts[part]->bytes->data() + parts[part]->offset;
        if (!byColumns)
            std::memcpy(bytes.data() + part * rows * rowBytes, from, rows * rowBytes);
        for (std::size_t row = 0; byColumns && row < rows; ++row)
            std::memcpy(bytes.data() + (row * parts.size() + part) * rowBytes, from + row * rowBytes,
                        rowBytes);
        parts[part]->bytes.reset(); // so that the parts need no memory beside the whole
    }
    whole.bytes = std::make_shared<const FileBytes>(std::move(bytes));
    whole.offset = 0;
    return whole;
}

using ByName = std::map<std::string_view, StoredTensor*>;

StoredTensor* find(const ByName& tensors, std::string_view name) {
    const auto found = tensors.find(name);
    return found == tensors.end() ? nullptr : found->second;
}

} // namespace

bool isParallelPart(const fs::path& path) {
    const auto name = path.filename().string();
    return name.size() == beginning.size() + 2 + partEnding.size() && name.starts_with(beginning) &&
           name.ends_with(partEnding) &&
           std::ranges::all_of(name.substr(beginning.size(), 2), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<fs::path> parallelParts(const fs::path& path) {
    const auto folder = path.parent_path();
    std::vector<fs::path> parts;
    std::size_t last = 0;
    std::error_code ignored;
    for (std::size_t number = 0; number < mostParts; ++number)
        if (const auto part = folder / nameOfPart(number); fs::exists(part, ignored)) {
            parts.push_back(part);
            last = number;
        }
    if (parts.size() != last + 1)
        refuse(folder.string(), "the parts " + nameOfPart(0).string() + " to " + nameOfPart(last).string(),
               std::to_string(parts.size()) + " of them");
    return parts;
}

TensorFile joinedParts(std::vector<TensorFile> parts, const std::string& where) {
    TensorFile whole{.format = parts.front().format + ", parts: " + std::to_string(parts.size())};
    std::vector<ByName> named;
    for (auto& part : parts)
        for (auto& tensors = named.emplace_back(); auto& tensor : part.tensors)
            tensors.emplace(tensor.name, &tensor);
    const auto* norm = find(named.front(), "norm.weight");
    const std::int64_t width = norm && norm->shape.size() == 1 ? norm->shape[0] : 0;
    for (const auto& tensor : parts.front().tensors) {
        std::vector<StoredTensor*> same;
        for (const auto& tensors : named) {
            auto* other = find(tensors, tensor.name);
            if (!other || other->type != tensor.type || other->shape != tensor.shape ||
                other->strides != contiguousStrides(other->shape))
                refuse(where,
                       printable(tensor.name) + " of shape " + shapeText(tensor.shape) + " in every part",
                       other ? shapeText(other->shape) + ", or of another layout" : "none in one of them");
            same.push_back(other);
        }
        whole.tensors.push_back(joined(same, width));
    }
    return whole;
}

} // namespace headscope::files
