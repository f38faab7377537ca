#include "tests/fuzz/tokenizer_input.h"

/// The files beside tokenizer.json, all of which are the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TokenizerFolder folder(
        {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json"});
    static const bool isWritten = [] {
        folder.write(
            "tokenizer.json",
            R"({"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"ByteLevel"},)"
            R"("decoder":{"type":"ByteLevel"},"added_tokens":[{"id":4,"content":"<s>","special":true},)"
            R"({"id":5,"content":"</s>"},{"id":6,"content":"en_XX"},{"id":7,"content":"eng_Latn"}],)"
            R"("model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"\u0120":3},"merges":["a b"]}})");
        return true;
    }();
    fuzz::require(isWritten, "a file");
    fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { fuzz::useTokenizer(folder.path()); });
    return 0;
}
