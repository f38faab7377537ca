#include "model/files/utf8.h"
#include "model/text/piece_vocabulary.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] {
        const auto vocabulary = text::readJsonVocabulary(path);
        for (std::int64_t id = 0; id < vocabulary.size(); ++id)
            fuzz::require(vocabulary.id(vocabulary.piece(id)) == id && files::isUtf8(vocabulary.piece(id)),
                          "a piece and its id");
    });
    return 0;
}
