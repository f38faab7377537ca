#include "model/files/torch/torch_legacy.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { fuzz::checkTensors(files::readTorchLegacy(path)); });
    fuzz::readStranger([&] { files::readTorchLegacyObject(path); });
    return 0;
}
