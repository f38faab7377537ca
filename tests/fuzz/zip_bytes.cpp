#include "tests/fuzz/zip_bytes.h"

#include <cstdint>

#include <zlib.h>

namespace fuzz {

namespace {

std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (; bytes > 0; --bytes, value >>= 8)
        text += static_cast<char>(value & 0xFF);
    return text;
}

/// What the local header and the directory say alike (APPNOTE.TXT 4.4): version, flags, method, time, date,
/// checksum, sizes, lengths of the name and of the extra field.
std::string description(const ZipPart& part) {
    const auto size = part.content.size();
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(part.content.data()), static_cast<uInt>(size));
    return littleEndian(20, 2) + littleEndian(0, 8) + littleEndian(checksum, 4) + littleEndian(size, 4) +
           littleEndian(size, 4) + littleEndian(part.name.size(), 2) + littleEndian(0, 2);
}

} // namespace

std::string zipBytes(const std::vector<ZipPart>& parts) {
    std::string archive, directory;
    for (const ZipPart& part : parts) {
        directory += "PK\x01\x02" + littleEndian(20, 2) + description(part) + littleEndian(0, 10) +
                     littleEndian(archive.size(), 4) + part.name;
        archive += "PK\x03\x04" + description(part) + part.name + part.content;
    }
    const auto directoryStart = archive.size();
    archive += directory;
    return archive + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(parts.size(), 2) +
           littleEndian(parts.size(), 2) + littleEndian(directory.size(), 4) +
           littleEndian(directoryStart, 4) + littleEndian(0, 2);
}

std::string torchArchive(std::span<const std::byte> pickle) {
    return zipBytes({{"m/data.pkl", {reinterpret_cast<const char*>(pickle.data()), pickle.size()}},
                     {"m/byteorder", "little"},
                     {"m/data/0", std::string(24, '\1')},
                     {"m/data/1", std::string(96, '\2')},
                     {"m/data/2", ""}});
}

} // namespace fuzz
