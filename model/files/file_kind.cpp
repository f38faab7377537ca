#include "model/files/file_kind.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "model/files/file_descriptor.h"
#include "model/files/findings.h"
#include "model/files/foreign_file.h"
#include "model/files/safetensors.h"
#include "model/files/safetensors_header.h"
#include "model/files/torch_legacy.h"
#include "model/files/torch_zip.h"
#include "model/files/zip_archive.h"

namespace headscope::files {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view zipStart = "PK\x03\x04"sv;
constexpr std::string_view legacyStart = "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19\x2E"sv;

/// ", with a.txt, b.txt": what tells a person which archive it is.
std::string firstNames(const ZipArchive& archive) {
    std::string names;
    for (const ZipEntry& entry :
         std::span(archive.entries()).first(std::min<std::size_t>(archive.entries().size(), 3)))
        names += (names.empty() ? ", with " : ", ") + printable(entry.name, 40);
    return names;
}

FileKind kindOfZip(const std::filesystem::path& path) {
    const ZipArchive archive = ZipArchive::open(path);
    const auto any = [&](const auto& matches) { return std::ranges::any_of(archive.entries(), matches); };
    const bool hasPickle = any([](const ZipEntry& entry) { return entry.name.ends_with("/data.pkl"); });
    if (hasPickle && any([](const ZipEntry& entry) { return entry.name.ends_with("/constants.pkl"); }))
        return FileKind::TorchScript;
    if (hasPickle)
        return FileKind::TorchZip;
    if (any([](const ZipEntry& entry) { return entry.name.ends_with(".npy"); }))
        refuseForeign(path, "an archive of NumPy arrays (.npz)",
                      "Convert it: safetensors.numpy.save_file(dict(numpy.load(file)), new file).");
    if (any([](const ZipEntry& entry) { return entry.name.ends_with(".h5"); }))
        refuseForeign(path, "a Keras archive (.keras)",
                      "Convert it: load it in Keras and write its weights with safetensors.numpy.save_file.");
    refuseForeign(path, "a zip archive without a data.pkl" + firstNames(archive),
                  "Unpack it and open what is in it.");
}

bool isSafetensors(std::string_view start, std::uint64_t fileBytes) {
    if (start.size() < 8)
        return false;
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(start[i]);
    if (length > maximumSafetensorsHeaderBytes)
        return false;
    const std::size_t first = start.find_first_not_of(" \t\r\n", 8);
    // A file cut off right after its length is still meant to be one: its reader says what is missing.
    return first == std::string_view::npos ? start.size() == fileBytes : start[first] == '{';
}

} // namespace

FileKind fileKind(const std::filesystem::path& path) {
    const OpenFile file = openForReading(path);
    std::string start(std::min<std::uint64_t>(file.size, 512), '\0');
    readExactly(file.descriptor, std::as_writable_bytes(std::span(start)), path);
    if (start.starts_with(zipStart))
        return kindOfZip(path);
    if (start.starts_with(legacyStart))
        return FileKind::TorchLegacy;
    if (isSafetensors(start, file.size))
        return FileKind::Safetensors;
    refuseForeignFile(path, start);
}

TensorFile readTensorFile(const std::filesystem::path& path) {
    switch (fileKind(path)) {
    case FileKind::TorchZip:
    case FileKind::TorchScript:
        return readTorchZip(path);
    case FileKind::TorchLegacy:
        return readTorchLegacy(path);
    case FileKind::Safetensors:
        break;
    }
    return readSafetensors(path);
}

} // namespace headscope::files
