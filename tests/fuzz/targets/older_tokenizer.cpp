#include "tests/fuzz/protobuf_mutator.h"
#include "tests/fuzz/tokenizer_input.h"

/// A SentencePiece model that becomes a tokenizer of a class, which its size chooses.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TokenizerFolder folder({"tokenizer.model"});
    constexpr std::array<const char*, 7> kinds{"Llama",  "Gemma",      "T5",  "Pegasus",
                                               "Albert", "XLMRoberta", "Nllb"};
    folder.write("tokenizer_config.json",
                 std::string(R"({"tokenizer_class":")") + kinds[size % kinds.size()] + R"(Tokenizer"})");
    fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { fuzz::useTokenizer(folder.path()); });
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maximumSize,
                                               unsigned seed) {
    return fuzz::mutateProtobuf(data, size, maximumSize, seed);
}
