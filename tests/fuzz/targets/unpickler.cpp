#include "model/files/torch/unpickler.h"
#include "model/files/torch/pickled_tensors.h"
#include "model/files/torch/pickled_values.h"
#include "model/files/utf8.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::readStranger([&] {
        const auto pickle = files::unpickle(fuzz::bytesOf(data, size), "input");
        fuzz::require(pickle.bytes <= size && pickle.root < pickle.values.size(), "a pickle's end and root");
        for (const auto& [path, json] : files::plainValues(pickle))
            fuzz::require(!json.empty() && files::isUtf8(path) && files::isUtf8(json), "a value");
        files::findTensors(pickle, "input");
    });
    return 0;
}
