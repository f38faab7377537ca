#include <string_view>

#include "model/files/findings.h"
#include "model/files/npy.h"
#include "model/files/zip_archive.h"
#include "model/files/zip_writer.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

constexpr std::string_view suffix = ".npy";
/// Compressed archives may grow; 4 GiB of arrays is more than any trace holds.
constexpr std::uint64_t maximumArrayBytes = std::uint64_t{4} << 30;

} // namespace

void saveNpz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
             const std::vector<std::pair<std::string, std::string>>& textEntries) {
    ZipWriter archive(path);
    for (const NamedArray& array : arrays)
        archive.add(array.name + std::string(suffix), npyBytes(array));
    for (const auto& [name, text] : textEntries)
        archive.add(name, text);
    archive.commit();
}

std::vector<NamedArray> readNpz(const std::filesystem::path& path) {
    const ZipArchive archive = ZipArchive::open(path);
    std::vector<NamedArray> arrays;
    std::uint64_t budget = maximumArrayBytes;
    for (const ZipEntry& entry : archive.entries()) {
        if (!entry.name.ends_with(suffix))
            continue;
        const FileBytes bytes = archive.read(entry.name, budget);
        budget -= bytes.size();
        arrays.push_back(parseNpy(bytes, archive.where() + ", entry " + printable(entry.name)));
        arrays.back().name = entry.name.substr(0, entry.name.size() - suffix.size());
    }
    return arrays;
}

} // namespace headscope::files
