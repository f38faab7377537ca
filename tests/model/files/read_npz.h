#pragma once

#include "model/files/findings.h"
#include "model/files/npy.h"
#include "model/files/zip_archive.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Reads archives of arrays, which the programs only write.
namespace read_npz {

/// The arrays of an .npz archive in its order; skips other entries. Throws trace::Refusal.
inline std::vector<headscope::files::NamedArray> readNpz(const std::filesystem::path& path) {
    constexpr std::string_view suffix = ".npy";
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    const auto archive = headscope::files::ZipArchive::open(path);
    std::vector<headscope::files::NamedArray> arrays;
    for (const auto& entry : archive.entries()) {
        if (!entry.name.ends_with(suffix))
            continue;
        arrays.push_back(headscope::files::parseNpy(archive.read(entry.name, largest),
                                                    headscope::files::printable(entry.name)));
        arrays.back().name = entry.name.substr(0, entry.name.size() - suffix.size());
    }
    return arrays;
}

} // namespace read_npz
