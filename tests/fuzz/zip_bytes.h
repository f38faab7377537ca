#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

struct ZipPart {
    std::string name;
    std::string content;
};

/// A valid archive of stored entries: what a target looks for lies inside it, and no input is wasted on
/// checksums.
std::string zipBytes(const std::vector<ZipPart>& parts);

/// The archive that torch.save would write around this pickle, with storages 0 (24 bytes), 1 (96) and 2 (0).
std::string torchArchive(std::span<const std::byte> pickle);

} // namespace fuzz
