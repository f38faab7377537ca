#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope::files {

struct ZipEntry {
    std::string name;       ///< the bytes of the name as they stand in the archive
    std::uint64_t size = 0; ///< uncompressed, in bytes
    bool compressed = false;
};

/// Reads zip archives from strangers. Opening refuses encrypted entries, names given twice, methods other
/// than stored and deflated, and entries that share bytes; reading checks the size and the checksum. All
/// refusals are trace::Refusal and name the archive. Not to be used by two threads at once.
class ZipArchive {
  public:
    static ZipArchive open(const std::filesystem::path& path);
    static ZipArchive inMemory(std::shared_ptr<const std::vector<std::byte>> bytes, const std::string& where);
    ZipArchive(ZipArchive&&) noexcept;
    ZipArchive& operator=(ZipArchive&&) noexcept;
    ~ZipArchive();

    const std::vector<ZipEntry>& entries() const { return entries_; } ///< in the order of the archive
    const ZipEntry* find(const std::string& name) const;              ///< null if there is none
    std::uint64_t archiveBytes() const { return archiveBytes_; }
    const std::string& where() const { return where_; }

    /// The entry's bytes. Entries larger than `maximumBytes` are refused before anything is allocated.
    std::vector<std::byte> read(const std::string& name, std::uint64_t maximumBytes) const;
    std::string readText(const std::string& name, std::uint64_t maximumBytes) const;

  private:
    struct Handle;
    ZipArchive(std::unique_ptr<Handle> handle, std::string where, std::uint64_t archiveBytes);
    void list();
    std::vector<std::byte> unpack(const ZipEntry& entry) const;

    std::unique_ptr<Handle> handle_;
    std::string where_;
    std::uint64_t archiveBytes_ = 0;
    std::vector<ZipEntry> entries_;
    std::map<std::string, std::size_t> indexOf_;
};

} // namespace headscope::files
