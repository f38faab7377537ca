#include "model/files/zip_archive.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] {
        const auto archive = files::ZipArchive::open(path);
        for (const auto& entry : archive.entries())
            fuzz::readStranger([&] {
                const auto content = archive.read(entry.name, std::uint64_t{1} << 20);
                fuzz::require(content.size() == entry.size, "an entry of another size than it says");
            });
    });
    return 0;
}
