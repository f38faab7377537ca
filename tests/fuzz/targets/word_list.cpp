#include "model/files/utf8.h"
#include "model/text/word_tokenizer.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

/// A text with one word a line: as a vocabulary, and as a sentence for the vocabulary it makes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    const std::string sentence(reinterpret_cast<const char*>(data), size);
    for (const auto splitting : {text::WordSplitting::WhiteSpace, text::WordSplitting::BasicEnglish})
        fuzz::readStranger([&] {
            const auto words =
                text::openWordTokenizer({.source = path, .splitting = splitting, .unknown = 0});
            for (const auto& token : words->encode(sentence))
                fuzz::require(token.id >= 0 && token.id < words->size() && files::isUtf8(token.piece) &&
                                  token.range && token.range->begin <= token.range->end &&
                                  token.range->end <= size,
                              "a token of the sentence");
        });
    return 0;
}
