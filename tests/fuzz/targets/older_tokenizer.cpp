#include "tests/fuzz/protobuf_mutator.h"
#include "tests/fuzz/tokenizer_input.h"

/// A SentencePiece model that becomes a tokenizer of each class.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TokenizerFolder folder({"tokenizer.model"});
    fuzz::fileWith(fuzz::bytesOf(data, size));
    for (const std::string kind : {"Llama", "Gemma", "T5", "Pegasus", "Albert", "XLMRoberta", "Nllb"}) {
        folder.write("tokenizer_config.json", R"({"tokenizer_class":")" + kind + R"(Tokenizer"})");
        fuzz::readStranger([&] { fuzz::useTokenizer(folder.path()); });
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maximumSize,
                                               unsigned seed) {
    return fuzz::mutateProtobuf(data, size, maximumSize, seed);
}
