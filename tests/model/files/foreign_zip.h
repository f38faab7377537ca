#pragma once

#include <zip.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/files/foreign_files.h"

/// Makes zip archives with libzip, including ones that this program never writes.
namespace foreign_zip {

struct Entry {
    std::string name;
    std::string content;
    bool deflated = false;
    bool encrypted = false;
};

inline void write(const std::filesystem::path& path, const std::vector<Entry>& entries) {
    std::filesystem::remove(path);
    int error = 0;
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, &error);
    for (const Entry& entry : entries) {
        zip_source_t* source = zip_source_buffer(archive, entry.content.data(), entry.content.size(), 0);
        const auto index =
            static_cast<zip_uint64_t>(zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8));
        zip_set_file_compression(archive, index, entry.deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
        if (entry.encrypted)
            zip_file_set_encryption(archive, index, ZIP_EM_AES_128, "secret");
    }
    if (zip_close(archive) != 0)
        qFatal("the archive for the test could not be written: %s", zip_strerror(archive));
}

} // namespace foreign_zip
