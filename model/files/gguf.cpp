#include "model/files/gguf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/files/element_values.h"
#include "model/files/file_descriptor.h"
#include "model/files/findings.h"
#include "model/files/gguf_header.h"
#include "model/files/mapped_file.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using nlohmann::json;

constexpr std::size_t longestGgufList = 4096; // of values that are no tokenizer's
constexpr int mostGgufParts = 256;

FileBytes allOf(const std::filesystem::path& path) {
    const auto file = openForReading(path);
    return mapped(file, 0, file.size, path);
}

std::map<std::string, std::string> valuesOfMetadata(const json& metadata) {
    std::map<std::string, std::string> values;
    const auto architecture = metadata.value("general.architecture", json());
    const auto own = architecture.is_string() ? architecture.get<std::string>() + "." : std::string();
    for (const auto& [key, value] : metadata.items())
        if (!value.is_array() || value.size() <= longestGgufList)
            values[!own.empty() && key.starts_with(own) ? key.substr(own.size()) : key] = value.dump();
    return values;
}

/// Numbers of a tensor with one dimension; none if there is no such tensor.
std::vector<float> numbersOf(const TensorFile& file, std::string_view name) {
    const auto found = std::ranges::find(file.tensors, name, &StoredTensor::name);
    if (found == file.tensors.end() || found->shape.size() != 1 ||
        found->shape[0] > static_cast<std::int64_t>(longestGgufList) || isInBlocks(found->type))
        return {};
    std::vector<float> numbers(found->shape[0]);
    toFloats(found->type,
             std::span(*found->bytes).subspan(found->offset, bytesOf(found->type, numbers.size())), numbers);
    return numbers;
}

/// Llama 3's frequencies are divided by a tensor, whatever scaling is stated. Phi-3's are by another up to
/// its first length.
void takeRotation(TensorFile& file) {
    auto& values = file.values;
    const bool isLlama = !numbersOf(file, "rope_freqs.weight").empty();
    const auto divisors = numbersOf(file, isLlama ? "rope_freqs.weight" : "rope_factors_short.weight");
    if (divisors.empty() || !std::ranges::all_of(divisors, [](float x) { return std::isfinite(x); }))
        return;
    values["rope.factors"] = json(divisors).dump();
    values["rope.scaling.type"] = json("longrope").dump();
    if (!isLlama)
        return;
    values["rope.scaling.attn_factor"] = "1";
    if (const auto length = values.find("context_length"); length != values.end())
        values["rope.scaling.original_context_length"] = length->second;
}

/// The largest models of Gemma 2 and 3, which their number of layers tells, divide scores by the root of
/// d_model / heads instead of that of d_k. No key says so.
void takeScoreDivisor(std::map<std::string, std::string>& values) {
    const auto number = [&](const char* key) {
        const auto found = values.find(key);
        const auto value = found == values.end() ? json() : json::parse(found->second);
        return value.is_number_integer() ? value.get<std::int64_t>() : 0;
    };
    const auto layers = number("block_count"), heads = number("attention.head_count");
    const auto architecture = values.find("general.architecture");
    const auto is = [&](const char* name) {
        return architecture != values.end() && architecture->second == json(name).dump();
    };
    if (heads > 0 && ((is("gemma2") && layers == 46) || (is("gemma3") && layers == 62)))
        values["attention.score_divisor"] = std::to_string(number("embedding_length") / heads);
}

/// Gathers the tokens that end a text or a turn, which have a key each.
void takeEnds(std::map<std::string, std::string>& values) {
    json ends = json::array();
    for (const char* key :
         {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"})
        if (const auto found = values.find(key); found != values.end())
            if (auto id = json::parse(found->second);
                id.is_number_integer() && std::ranges::find(ends, id) == ends.end())
                ends.push_back(std::move(id));
    if (!ends.empty())
        values["tokenizer.ends"] = ends.dump();
}

/// "GGUF (Q4_K, Q6_K, float32)": the types of its tensors, those with most bytes first.
std::string formatOf(const TensorFile& file) {
    std::map<ElementType, std::size_t> bytes;
    for (const auto& tensor : file.tensors)
        bytes[tensor.type] += bytesOf(tensor.type, checkedProduct(tensor.shape).value_or(0));
    std::vector<std::pair<std::size_t, ElementType>> types;
    for (const auto& [type, size] : bytes)
        types.emplace_back(size, type);
    std::ranges::sort(types, std::greater());
    std::string names;
    for (const auto& [size, type] : types)
        names += (names.empty() ? "" : ", ") + std::string(name(type));
    return names.empty() ? "GGUF" : "GGUF (" + names + ")";
}

TensorFile readPart(const std::filesystem::path& path) {
    auto bytes = std::make_shared<const FileBytes>(allOf(path));
    auto header = parseGgufHeader(*bytes, path.string());
    TensorFile file{.values = valuesOfMetadata(header.metadata)};
    for (auto& entry : header.entries) {
        auto strides = contiguousStrides(entry.shape);
        file.tensors.push_back({.name = std::move(entry.name),
                                .type = entry.type,
                                .shape = std::move(entry.shape),
                                .strides = std::move(strides),
                                .bytes = bytes,
                                .offset = entry.begin});
    }
    return file;
}

} // namespace

std::vector<std::filesystem::path> partsOfGguf(const std::filesystem::path& path) {
    constexpr std::size_t digits = 5;
    constexpr std::string_view of = "-of-";
    const auto stem = path.stem().string();
    constexpr auto endLength = 1 + digits + of.size() + digits;
    const auto areDigits = [&](std::size_t first) {
        return stem.find_first_not_of("0123456789", first) >= first + digits;
    };
    if (stem.size() <= endLength)
        return {path};
    const auto end = stem.size() - endLength;
    if (stem[end] != '-' || stem.substr(end + 1 + digits, of.size()) != of || !areDigits(end + 1) ||
        !areDigits(stem.size() - digits))
        return {path};
    const auto count = std::stoi(stem.substr(stem.size() - digits));
    if (count > mostGgufParts)
        throw trace::Refusal({.what = "The GGUF file has too many parts",
                              .where = path.string(),
                              .expected = "at most " + std::to_string(mostGgufParts),
                              .found = std::to_string(count),
                              .wayOut = "join them with llama.cpp's program gguf-split --merge"});
    std::vector<std::filesystem::path> paths;
    for (int part = 1; part <= count; ++part) {
        auto number = std::to_string(part);
        number.insert(0, digits - number.size(), '0');
        paths.push_back(path.parent_path() / (stem.substr(0, end + 1) + number +
                                              stem.substr(end + 1 + digits) + path.extension().string()));
    }
    return paths.empty() ? std::vector{path} : paths;
}

bool isGguf(const std::filesystem::path& path) {
    try {
        const auto file = openForReading(path);
        std::string start(ggufStart.size(), '\0');
        if (file.size < start.size())
            return false;
        readExactly(file.descriptor, std::as_writable_bytes(std::span(start)), path);
        return start == ggufStart;
    } catch (const trace::Refusal&) {
        return false;
    }
}

bool arePartsOfOneGguf(const std::vector<std::filesystem::path>& paths) {
    const auto parts = partsOfGguf(paths.front());
    return parts.size() > 1 && std::ranges::all_of(paths, [&](const auto& path) {
               return std::ranges::find(parts, path) != parts.end();
           });
}

TensorFile readGguf(const std::filesystem::path& path, const std::stop_token& stop) {
    TensorFile file;
    std::set<std::string> names;
    for (const auto& part : partsOfGguf(path)) {
        trace::throwIfStopped(stop);
        auto read = readPart(part);
        for (auto& tensor : read.tensors) {
            if (!names.insert(tensor.name).second)
                throw trace::Refusal({.what = "The parts of the GGUF file do not fit together",
                                      .where = part.string(),
                                      .expected = "each tensor in one part",
                                      .found = printable(tensor.name) + " in two",
                                      .wayOut = "fetch all parts again, from one place"});
            file.tensors.push_back(std::move(tensor));
        }
        file.values.merge(read.values); // the first part has them
    }
    file.format = formatOf(file);
    takeRotation(file);
    takeScoreDivisor(file.values);
    takeEnds(file.values);
    return file;
}

json readGgufMetadata(const std::filesystem::path& path) {
    const auto first = partsOfGguf(path).front();
    return parseGgufHeader(allOf(first), first.string()).metadata;
}

} // namespace headscope::files
