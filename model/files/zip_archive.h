#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "model/files/file_bytes.h"

namespace headscope::files {

struct ZipEntry {
    std::string name;       ///< raw bytes of the name
    std::uint64_t size = 0; ///< uncompressed, in bytes
    bool compressed = false;
};

/// Reads untrusted zip archives. open() refuses encrypted entries, duplicate names, methods other than stored
/// and deflated, and entries that share bytes; reading checks size and checksum. All functions throw
/// trace::Refusal with the name of the archive. Not thread-safe.
class ZipArchive {
  public:
    static ZipArchive open(const std::filesystem::path& path);
    ZipArchive(ZipArchive&&) noexcept;
    ZipArchive& operator=(ZipArchive&&) noexcept;
    ~ZipArchive();

    const std::vector<ZipEntry>& entries() const { return entries_; } ///< in archive order
    const ZipEntry* find(const std::string& name) const;              ///< null if there is none
    std::uint64_t archiveBytes() const { return archiveBytes_; }
    const std::string& where() const { return where_; }

    /// Returns the entry's uncompressed bytes. Entries larger than `maximumBytes` are refused before anything
    /// is allocated. Throws trace::Cancelled within some milliseconds of `stop`.
    FileBytes read(const std::string& name, std::uint64_t maximumBytes,
                   const std::stop_token& stop = {}) const;
    std::string readText(const std::string& name, std::uint64_t maximumBytes) const;

  private:
    struct Handle;
    ZipArchive(std::unique_ptr<Handle> handle, std::string where, std::uint64_t archiveBytes);
    void list();
    void fill(const std::string& name, FileBytes& bytes, const std::stop_token& stop) const;

    std::unique_ptr<Handle> handle_;
    std::string where_;
    std::uint64_t archiveBytes_ = 0;
    std::vector<ZipEntry> entries_;
    std::map<std::string, std::size_t> indexOf_;
};

} // namespace headscope::files
