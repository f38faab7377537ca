#include "model/text/sentence_piece.h"
#include "model/files/utf8.h"
#include "tests/fuzz/hostile_input.h"
#include "tests/fuzz/protobuf_mutator.h"

#include <array>
#include <string>
#include <vector>

using namespace headscope;

namespace {

constexpr std::array<std::string_view, 6> sentences{"",
                                                    "a",
                                                    "the dog sleeps",
                                                    "\xc3\xa4 \xe2\x96\x81 \xef\xbd\x81 \xf0\x9f\x90\x95  ab",
                                                    std::string_view("zero \0 byte", 11),
                                                    "aaaaaaaaaaaaaaaa<unk></s>\t\n\xcc\x88"};

void useModel(const text::SentencePieceModel& model) {
    for (const std::string_view sentence : sentences) {
        std::vector<std::int64_t> ids;
        std::vector<std::string> pieces;
        fuzz::readStranger([&] {
            for (const auto& token : model.encode(sentence)) {
                fuzz::require(token.range && token.range->begin <= token.range->end &&
                                  token.range->end <= sentence.size(),
                              "a token outside its sentence");
                fuzz::require(files::isUtf8(token.piece), "a piece that is no UTF-8");
                ids.push_back(token.id);
                pieces.push_back(token.piece);
            }
        });
        fuzz::readStranger(
            [&] { fuzz::require(files::isUtf8(model.decode(ids)), "a text that is no UTF-8"); });
        fuzz::readStranger([&] { model.join(pieces); });
    }
    for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{0}, model.size() - 1, model.size()})
        fuzz::readStranger(
            [&] { fuzz::require(files::isUtf8(model.piece(id)), "a piece that is no UTF-8"); });
}

} // namespace

/// What our own check lets through must not crash the library, whatever sentence comes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] { useModel(*text::openSentencePiece(path)); });
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maximumSize,
                                               unsigned seed) {
    return fuzz::mutateProtobuf(data, size, maximumSize, seed);
}
