#include "tests/fuzz/tokenizer_input.h"

/// A list of tokens in base64 with their ranks.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TokenizerFolder folder({"tokenizer.model"});
    fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { fuzz::useTokenizer(folder.path()); });
    return 0;
}
