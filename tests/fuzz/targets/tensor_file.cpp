#include "model/files/file_kind.h"
#include "model/files/torch/saved_object.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

/// Whole files of any kind, as somebody opens them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { fuzz::checkTensors(files::readTensorFile(path)); });
    fuzz::readStranger([&] { files::readSavedObject(path); });
    return 0;
}
