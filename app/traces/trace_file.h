#pragma once

#include "model/files/safetensors.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace headscope::app {

/// The file of a trace. Its header has the arrays and, as metadata "tokens.json", the tokens.
class TraceFile {
  public:
    using Entry = files::SafetensorsEntry;
    /// Key of the metadata with the tokens.
    static constexpr const char* wordsKey = "tokens.json";

    /// Opens a safetensors file, or an archive of NumPy arrays (.npz) with the tokens as an entry
    /// "tokens.json", or as arrays of strings "source", "target" and "next". Arrays of an archive are all
    /// read. Throws trace::Refusal.
    static std::shared_ptr<const TraceFile> open(const std::filesystem::path& path,
                                                 const std::stop_token& stop);
    virtual ~TraceFile() = default;

    virtual const files::SafetensorsHeader& header() const = 0;
    /// Null if the file has no such array.
    const Entry* find(const std::string& name) const;
    virtual files::FileBytes read(const Entry& entry, const std::stop_token& stop) const = 0;
    /// Null if the array is empty, or not aligned to its element size.
    virtual std::shared_ptr<const std::byte> map(const Entry& entry) const = 0;
    /// Whether map() costs no access to the disk.
    virtual bool isInMemory() const = 0;
};

/// Returns true for files that TraceFile::open() can open and that hold a run, not weights.
bool isTrace(const std::filesystem::path& path);

} // namespace headscope::app
