#include "model/files/zip_archive.h"
#include "tests/fuzz/hostile_input.h"

#include <vector>

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytesOf(data, size);
    const auto shared = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    fuzz::readStranger([&] {
        const auto archive = files::ZipArchive::inMemory(shared, "input");
        for (const auto& entry : archive.entries())
            fuzz::readStranger([&] {
                const auto content = archive.read(entry.name, std::uint64_t{1} << 20);
                fuzz::require(content.size() == entry.size, "an entry of another size than it says");
            });
    });
    return 0;
}
