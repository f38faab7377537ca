#include "model/files/npy.h"
#include "model/files/zip_writer.h"

namespace headscope::files {

void saveNpz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
             const std::vector<std::pair<std::string, std::string>>& textEntries) {
    ZipWriter archive(path);
    for (const NamedArray& array : arrays)
        archive.add(array.name + ".npy", npyBytes(array));
    for (const auto& [name, text] : textEntries)
        archive.add(name, text);
    archive.commit();
}

} // namespace headscope::files
