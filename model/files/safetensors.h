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

/// The safetensors format of Hugging Face: u64 length, JSON header, data. The rules are those of the
/// reference reader (no hole, no overlap, nothing after the last tensor); stricter are only: keys given
/// twice, more than 100,000 tensors, 8 dimensions or 1 KB of name, and element types that PyTorch 1.13 does
/// not have. Tensors come in the order of their data. `metadata` is the header's `__metadata__`: names of
/// tied tensors that were not stored twice stand there as dropped -> kept. Everything that is wrong is named
/// in one trace::Refusal; trace::Cancelled within some milliseconds.
TensorFile readSafetensors(const std::filesystem::path& path, const std::stop_token& stop = {},
                           FileRole role = FileRole::Input);

/// A file of this format of which parts are read: one that is larger than memory. Header and sizes are
/// checked when it is opened, by the same rules.
class SafetensorsFile {
  public:
    explicit SafetensorsFile(const std::filesystem::path& path, FileRole role = FileRole::Input);

    const SafetensorsHeader& header() const { return header_; }
    /// Before the data, with the length that stands before it.
    std::uint64_t headerBytes() const { return dataBegin_; }
    /// Null if the file has no such tensor.
    const SafetensorsEntry* find(std::string_view name) const;
    /// The bytes of a tensor.
    FileBytes read(const SafetensorsEntry& entry, const std::stop_token& stop = {}) const;
    /// The same as a look at the file, of which the system reads what is looked at. The address is a multiple
    /// of the element's size, else null: the writer did not align it. What another program writes into the
    /// same file meanwhile is seen; one that makes it shorter breaks whoever looks.
    std::shared_ptr<const std::byte> map(const SafetensorsEntry& entry) const;

  private:
    std::filesystem::path path_;
    OpenFile file_;
    SafetensorsHeader header_;
    std::uint64_t dataBegin_ = 0;
};

/// Row-major and contiguous; the bytes stay the caller's.
struct TensorToSave {
    std::string name;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
};

/// Writes atomically; the largest element types come first, then by name, so that all data is aligned.
void saveSafetensors(const std::filesystem::path& path, std::vector<TensorToSave> tensors,
                     const std::map<std::string, std::string>& metadata, const std::stop_token& stop = {},
                     FileRole role = FileRole::Output);

} // namespace headscope::files
