#include "model/files/utf8.h"
#include "model/text/word_tokenizer.h"
#include "tests/fuzz/hostile_input.h"
#include "tests/fuzz/zip_bytes.h"

#include <array>

using namespace headscope;

/// The input is the pickle in a vocab.pt that is otherwise sound.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string archive = fuzz::torchArchive(fuzz::bytesOf(data, size));
    const auto path = fuzz::fileWith(std::as_bytes(std::span(archive)));
    fuzz::readStranger([&] {
        const auto words = text::openWordTokenizer({.source = path});
        for (const std::int64_t id : {std::int64_t{0}, words->size() - 1, words->size()})
            fuzz::require(files::isUtf8(words->piece(id)) && files::isUtf8(words->targetPiece(id)), "a word");
        words->encode("the dog sleeps");
        words->decode(std::array<std::int64_t, 2>{0, 1});
    });
    return 0;
}
