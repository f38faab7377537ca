#include "model/files/npy.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::readStranger([&] {
        const auto array = files::parseNpy(fuzz::bytesOf(data, size), "input");
        const auto elements = files::checkedProduct(array.shape);
        fuzz::require(elements && *elements * files::sizeOf(array.type) == array.bytes.size(),
                      "an array's size");
        const std::string again = files::npyBytes(array);
        fuzz::require(files::parseNpy(std::as_bytes(std::span(again)), "input") == array,
                      "an array that changes when it is written");
    });
    return 0;
}
