#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/file_descriptor.h"
#include "model/files/safetensors_header.h"
#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Reads the safetensors format of Hugging Face: u64 length, JSON header, data. Applies the rules of the
/// reference reader (no gaps, no overlaps, nothing after the last tensor) and also refuses duplicate keys,
/// more than 100,000 tensors, more than 8 dimensions, names above 1 KB, and element types that PyTorch 1.13
/// lacks. Tensors are returned in the order of their data. `metadata` is the header's `__metadata__`, which
/// maps the names of tied tensors that were not stored to the names of the stored ones. Throws one
/// trace::Refusal that lists all problems; throws trace::Cancelled within some milliseconds of `stop`.
TensorFile readSafetensors(const std::filesystem::path& path, const std::stop_token& stop = {},
                           FileRole role = FileRole::Input);

/// Reads single tensors of a safetensors file, for files larger than memory. The constructor checks header
/// and sizes by the rules of readSafetensors().
class SafetensorsFile {
  public:
    explicit SafetensorsFile(const std::filesystem::path& path, FileRole role = FileRole::Input);

    const SafetensorsHeader& header() const { return header_; }
    /// Bytes before the data: the header and the length before it.
    std::uint64_t headerBytes() const { return dataBegin_; }
    /// Null if the file has no such tensor.
    const SafetensorsEntry* find(std::string_view name) const;
    FileBytes read(const SafetensorsEntry& entry, const std::stop_token& stop = {}) const;
    /// Maps a tensor's bytes into memory (mapped_file.h). Returns null if the tensor is empty, or not aligned
    /// to its element size in the file.
    std::shared_ptr<const std::byte> map(const SafetensorsEntry& entry) const;

  private:
    std::filesystem::path path_;
    OpenFile file_;
    SafetensorsHeader header_;
    std::uint64_t dataBegin_ = 0;
};

/// A row-major, contiguous tensor; `bytes` is not copied and must stay valid.
struct TensorToSave {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
};

/// Writes atomically. Tensors are sorted by descending element size, then by name, so that data is aligned.
void saveSafetensors(const std::filesystem::path& path, std::vector<TensorToSave> tensors,
                     const std::map<std::string, std::string>& metadata, const std::stop_token& stop = {},
                     FileRole role = FileRole::Output);

} // namespace headscope::files
