#include "model/files/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <unistd.h>

#include "model/files/atomic_file.h"
#include "model/files/file_descriptor.h"
#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/mapped_file.h"
#include "model/files/safetensors_header.h"
#include "model/files/utf8.h"

namespace headscope::files {

namespace {

constexpr std::size_t lengthBytes = 8;

/// Reads the JSON text; afterwards the file position is the start of the data.
std::string headerText(const OpenFile& file, const std::filesystem::path& path) {
    std::string start(std::min<std::uint64_t>(file.size, lengthBytes), '\0');
    readExactly(file.descriptor, std::as_writable_bytes(std::span(start)), path);
    std::string text(safetensorsHeaderBytes(start, file.size, path.string()), '\0');
    readExactly(file.descriptor, std::as_writable_bytes(std::span(text)), path);
    return text;
}

TensorFile tensorsOf(SafetensorsHeader header, const std::shared_ptr<const FileBytes>& bytes) {
    TensorFile file{.format = "safetensors", .metadata = std::move(header.metadata)};
    file.tensors.reserve(header.entries.size());
    for (SafetensorsEntry& entry : header.entries) {
        std::vector<std::int64_t> strides = contiguousStrides(entry.shape);
        file.tensors.push_back({.name = std::move(entry.name),
                                .type = entry.type,
                                .shape = std::move(entry.shape),
                                .strides = std::move(strides),
                                .bytes = bytes,
                                .offset = entry.begin});
    }
    return file;
}

[[noreturn]] void refuseToSave(const std::filesystem::path& path, const std::string& tensor,
                               const std::string& found) {
    throw trace::Refusal({.what = "The tensors could not be saved as safetensors",
                          .where = path.string() + ", tensor " + printable(tensor),
                          .expected = "names in UTF-8, each once, and as many bytes as the shape needs",
                          .found = found,
                          .wayOut = "Rename the tensor, or leave it out."});
}

void checkSavable(const std::filesystem::path& path, const std::vector<TensorToSave>& tensors) {
    std::vector<std::string_view> names;
    for (const TensorToSave& tensor : tensors) {
        const auto elements = checkedProduct(tensor.shape);
        const auto bytes = elements ? checkedProduct(*elements, sizeOf(tensor.type)) : std::nullopt;
        if (bytes != tensor.bytes.size())
            refuseToSave(path, tensor.name,
                         "shape " + shapeText(tensor.shape) + " with " + std::to_string(tensor.bytes.size()) +
                             " bytes");
        if (tensor.name == "__metadata__" || tensor.name.size() > maximumNameBytes || !isUtf8(tensor.name))
            refuseToSave(path, tensor.name, "a name that the format does not allow");
        names.push_back(tensor.name);
    }
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
        refuseToSave(path, std::string(*twice), "the name twice");
}

std::string headerOf(const std::vector<TensorToSave>& tensors,
                     const std::map<std::string, std::string>& metadata) {
    using nlohmann::json;
    std::string header = "{";
    if (!metadata.empty())
        header += "\"__metadata__\":" + json(metadata).dump();
    std::uint64_t position = 0;
    for (const TensorToSave& tensor : tensors) {
        const std::uint64_t end = position + tensor.bytes.size();
        const json entry = {{"dtype", safetensorsName(tensor.type)},
                            {"shape", tensor.shape},
                            {"data_offsets", {position, end}}};
        header += (header.size() > 1 ? "," : "") + json(tensor.name).dump() + ":" + entry.dump();
        position = end;
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    return header;
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path, FileRole role)
    : path_(path), file_(openForReading(path, role)) {
    const std::string text = headerText(file_, path);
    dataBegin_ = lengthBytes + text.size();
    header_ = parseSafetensorsHeader(text, file_.size - dataBegin_, path.string());
}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
    const auto found = std::ranges::find(header_.entries, name, &SafetensorsEntry::name);
    return found == header_.entries.end() ? nullptr : &*found;
}

FileBytes SafetensorsFile::read(const SafetensorsEntry& entry, const std::stop_token& stop) const {
    FileBytes bytes(entry.end - entry.begin);
    if (lseek(file_.descriptor.get(), static_cast<off_t>(dataBegin_ + entry.begin), SEEK_SET) < 0)
        throw systemRefusal("The file could not be read", path_);
    readExactly(file_.descriptor, bytes, path_, stop);
    return bytes;
}

std::shared_ptr<const std::byte> SafetensorsFile::map(const SafetensorsEntry& entry) const {
    const std::uint64_t begin = dataBegin_ + entry.begin;
    if (entry.begin == entry.end || begin % sizeOf(entry.type) != 0)
        return nullptr;
    const auto bytes =
        std::make_shared<const FileBytes>(mapped(file_, begin, entry.end - entry.begin, path_));
    return {bytes, bytes->data()};
}

TensorFile readSafetensors(const std::filesystem::path& path, const std::stop_token& stop, FileRole role) {
    const OpenFile file = openForReading(path, role);
    const std::string text = headerText(file, path);
    const std::uint64_t dataBytes = file.size - lengthBytes - text.size();
    SafetensorsHeader header = parseSafetensorsHeader(text, dataBytes, path.string());
    if (file.size >= mappedFrom)
        return tensorsOf(std::move(header), std::make_shared<const FileBytes>(
                                                mapped(file, lengthBytes + text.size(), dataBytes, path)));
    auto data = std::make_shared<FileBytes>(dataBytes);
    readExactly(file.descriptor, *data, path, stop);
    return tensorsOf(std::move(header), std::move(data));
}

void saveSafetensors(const std::filesystem::path& path, std::vector<TensorToSave> tensors,
                     const std::map<std::string, std::string>& metadata, const std::stop_token& stop,
                     FileRole role) {
    checkSavable(path, tensors);
    std::ranges::sort(tensors, [](const TensorToSave& a, const TensorToSave& b) {
        return sizeOf(a.type) != sizeOf(b.type) ? sizeOf(a.type) > sizeOf(b.type) : a.name < b.name;
    });
    const std::string header = headerOf(tensors, metadata);
    std::string length;
    for (std::uint64_t rest = header.size(); length.size() < lengthBytes; rest >>= 8)
        length += static_cast<char>(rest & 0xFF);

    AtomicFile file(path, role);
    file.write(length);
    file.write(header);
    constexpr std::size_t atOnce = std::size_t{8} << 20;
    for (const TensorToSave& tensor : tensors)
        for (auto rest = tensor.bytes; !rest.empty(); rest = rest.subspan(std::min(atOnce, rest.size()))) {
            trace::throwIfStopped(stop);
            file.write(rest.first(std::min(atOnce, rest.size())));
        }
    file.commit();
}

} // namespace headscope::files
