#include "model/files/npy.h"
#include "tests/fuzz/hostile_input.h"
#include "tests/fuzz/zip_bytes.h"
#include "tests/model/files/read_npz.h"

using namespace headscope;

namespace {

void readArrays(std::span<const std::byte> archive) {
    const auto path = fuzz::fileWith(archive);
    fuzz::readStranger([&] {
        for (const auto& array : read_npz::readNpz(path)) {
            const auto elements = files::checkedProduct(array.shape);
            fuzz::require(elements && *elements * files::sizeOf(array.type) == array.bytes.size(),
                          "an array's size");
        }
    });
}

} // namespace

/// The input as an archive, and as an array in one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readArrays(fuzz::bytesOf(data, size));
    const std::string archive =
        fuzz::zipBytes({{"a.npy", {reinterpret_cast<const char*>(data), size}}, {"note.txt", "text"}});
    readArrays(std::as_bytes(std::span(archive)));
    return 0;
}
