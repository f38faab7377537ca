#include "model/files/torch/torch_zip.h"
#include "tests/fuzz/hostile_input.h"
#include "tests/fuzz/zip_bytes.h"

using namespace headscope;

/// The input is the pickle of an archive that is otherwise sound.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string archive = fuzz::torchArchive(fuzz::bytesOf(data, size));
    const auto path = fuzz::fileWith(std::as_bytes(std::span(archive)));
    fuzz::readStranger([&] { fuzz::checkTensors(files::readTorchZip(path)); });
    return 0;
}
