#include "tests/fuzz/tokenizer_input.h"

/// tokenizer.json of Hugging Face.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TokenizerFolder folder({"tokenizer.json"});
    fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { fuzz::useTokenizer(folder.path()); });
    return 0;
}
