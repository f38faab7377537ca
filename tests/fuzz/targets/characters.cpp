#include "model/files/utf8.h"
#include "model/text/character_tokenizer.h"
#include "tests/fuzz/hostile_input.h"

#include <array>

using namespace headscope;

/// nanoGPT's meta.pkl.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] {
        const auto characters = text::openCharacterTokenizer(path);
        fuzz::require(characters->size() > 0, "no characters");
        for (const std::int64_t id : {std::int64_t{0}, characters->size() - 1, characters->size()})
            fuzz::require(files::isUtf8(characters->piece(id)), "a character");
        fuzz::require(files::isUtf8(characters->decode(std::array<std::int64_t, 2>{0, 1})), "a text");
        for (const auto& token : characters->encode("the \u00e9\n"))
            fuzz::require(token.id >= 0 && token.id < characters->size(), "a token of the text");
    });
    return 0;
}
