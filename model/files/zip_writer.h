#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "model/files/atomic_file.h"

namespace headscope::files {

/// Writes a zip archive of uncompressed entries, directly to disk and atomically (AtomicFile). Equal entries
/// give equal bytes: all time stamps are 1980-01-01. Throws trace::Refusal above 65,535 entries or 4 GiB.
class ZipWriter {
  public:
    explicit ZipWriter(const std::filesystem::path& path);

    /// `name` is UTF-8.
    void add(const std::string& name, std::span<const std::byte> bytes);
    void add(const std::string& name, std::string_view text);
    void commit();

  private:
    AtomicFile file_;
    std::string where_;
    std::string directory_; ///< the central directory so far
    std::uint64_t position_ = 0;
    std::uint64_t entries_ = 0;
};

} // namespace headscope::files
