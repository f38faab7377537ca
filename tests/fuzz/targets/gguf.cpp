#include "model/files/gguf.h"
#include "model/files/element_values.h"
#include "tests/fuzz/tokenizer_input.h"

#include <algorithm>

using namespace headscope;

/// The tensors of the file, the numbers of their first blocks, and its tokenizer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] {
        const auto file = files::readGguf(path);
        fuzz::checkTensors(file);
        for (const auto& tensor : file.tensors) {
            fuzz::require(tensor.strides == files::contiguousStrides(tensor.shape), "strides with holes");
            const auto first =
                std::min(*files::checkedProduct(tensor.shape), files::blockLength(tensor.type));
            std::vector<float> numbers(first);
            files::toFloats(
                tensor.type,
                std::span(*tensor.bytes).subspan(tensor.offset, files::bytesOf(tensor.type, first)), numbers);
        }
        const auto stages = text::ggufTokenizer(files::readGgufMetadata(path), "the input");
        fuzz::useTokenizer(*text::openHuggingFaceTokenizer(stages, "the input"));
    });
    return 0;
}
