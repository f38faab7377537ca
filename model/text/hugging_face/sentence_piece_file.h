#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// Contents of a SentencePiece file (sentencepiece_model.proto) that other tokenizers need.
struct SentencePieceFile {
    enum class PieceType { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };
    enum class Algorithm { Unigram = 1, BytePair, Word, Character };

    struct Piece {
        std::string text;
        double score = 0;
        PieceType type = PieceType::Normal;
    };

    std::vector<Piece> pieces; ///< by id
    Algorithm algorithm = Algorithm::Unigram;
    std::int32_t unknownId = 0;
    std::string unknownPiece = "<unk>";
    std::string characterMap; ///< `precompiled_charsmap`
};

/// Throws trace::Refusal; `where` names the file.
SentencePieceFile readSentencePieceFile(std::string_view bytes, const std::string& where);

} // namespace headscope::text
