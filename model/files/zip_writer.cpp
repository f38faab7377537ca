#include "model/files/zip_writer.h"

#include <zlib.h>

#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

constexpr std::uint64_t maximumBytes = UINT32_MAX;
constexpr std::uint64_t maximumEntries = UINT16_MAX;

void append(std::string& bytes, std::uint64_t value, int width) {
    for (; width > 0; --width, value >>= 8)
        bytes += static_cast<char>(value & 0xFF);
}

/// The fields shared by an entry's local header and its record in the central directory.
std::string describe(const std::string& name, std::span<const std::byte> bytes) {
    constexpr std::uint64_t version = 20, utf8Name = 0x800, stored = 0, midnight = 0,
                            firstOfJanuary1980 = 0x21;
    const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    std::string fields;
    append(fields, version, 2);
    append(fields, utf8Name, 2);
    append(fields, stored, 2);
    append(fields, midnight, 2);
    append(fields, firstOfJanuary1980, 2);
    append(fields, checksum, 4);
    append(fields, bytes.size(), 4);
    append(fields, bytes.size(), 4);
    append(fields, name.size(), 2);
    append(fields, 0, 2); // no extra fields
    return fields;
}

} // namespace

ZipWriter::ZipWriter(const std::filesystem::path& path) : file_(path), where_(path.string()) {}

void ZipWriter::add(const std::string& name, std::span<const std::byte> bytes) {
    const std::uint64_t afterwards = position_ + directory_.size() + bytes.size() + 2 * name.size() + 100;
    if (entries_ == maximumEntries || name.size() > UINT16_MAX || afterwards > maximumBytes)
        throw trace::Refusal({.what = "The archive could not be saved",
                              .where = where_ + ", entry " + name,
                              .expected = "at most 65535 entries and 4 GiB in all",
                              .found = "more",
                              .wayOut = "Save less at a time."});
    const std::string fields = describe(name, bytes);
    const std::string header = "PK\x03\x04" + fields + name;
    file_.write(header);
    file_.write(bytes);

    directory_ += "PK\x01\x02";
    append(directory_, 20, 2); // made by version 2.0, system 0 (MS-DOS)
    directory_ += fields;
    append(directory_, 0, 2 + 2 + 2 + 4); // no comment, first disk, no attributes
    append(directory_, position_, 4);
    directory_ += name;
    position_ += header.size() + bytes.size();
    ++entries_;
}

void ZipWriter::add(const std::string& name, std::string_view text) {
    add(name, std::as_bytes(std::span(text)));
}

void ZipWriter::commit() {
    std::string end = "PK\x05\x06";
    append(end, 0, 2 + 2); // one disk
    append(end, entries_, 2);
    append(end, entries_, 2);
    append(end, directory_.size(), 4);
    append(end, position_, 4);
    append(end, 0, 2); // no comment
    file_.write(directory_);
    file_.write(end);
    file_.commit();
}

} // namespace headscope::files
