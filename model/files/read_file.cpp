#include "model/files/read_file.h"

#include <span>

#include "model/files/file_descriptor.h"

namespace headscope::files {

namespace {

OpenFile openWithin(const std::filesystem::path& path, std::uint64_t maximumBytes,
                    FileRole role = FileRole::Input) {
    OpenFile file = openForReading(path, role);
    if (file.size > maximumBytes)
        throw trace::Refusal({.what = "The file is too large",
                              .where = path.string(),
                              .expected = "at most " + std::to_string(maximumBytes) + " bytes",
                              .found = std::to_string(file.size) + " bytes",
                              .wayOut = "Check that it is the file you meant."});
    return file;
}

} // namespace

std::shared_ptr<const FileBytes> readFile(const std::filesystem::path& path, std::uint64_t maximumBytes,
                                          const std::stop_token& stop) {
    const OpenFile file = openWithin(path, maximumBytes);
    auto bytes = std::make_shared<FileBytes>(file.size);
    readExactly(file.descriptor, *bytes, path, stop);
    return bytes;
}

std::string readText(const std::filesystem::path& path, std::uint64_t maximumBytes, FileRole role) {
    const OpenFile file = openWithin(path, maximumBytes, role);
    std::string text(file.size, '\0');
    readExactly(file.descriptor, std::as_writable_bytes(std::span(text)), path);
    return text;
}

} // namespace headscope::files
