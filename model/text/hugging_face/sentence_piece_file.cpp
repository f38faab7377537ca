#include "model/text/hugging_face/sentence_piece_file.h"

#include "model/text/sentence_piece_check.h"
#include "model/text/sentence_piece_fields.h"

#include <cmath>
#include <cstring>

namespace headscope::text {

namespace {

using Piece = SentencePieceFile::Piece;

Piece readPiece(std::string_view message, const std::string& where) {
    Piece piece;
    FieldReader fields(message, where);
    while (const auto field = fields.next()) {
        if (field->number == 1 && field->wireType == 2) {
            piece.text = field->content;
        } else if (field->number == 2 && field->wireType == 5) {
            float score = 0;
            std::memcpy(&score, field->content.data(), sizeof score);
            if (!std::isfinite(score))
                refuseModel(where, "a piece whose score is no number");
            piece.score = score;
        } else if (field->number == 3 && field->wireType == 0) {
            piece.type = static_cast<SentencePieceFile::PieceType>(field->value & 7);
        }
    }
    return piece;
}

void readTraining(SentencePieceFile& file, std::string_view message, const std::string& where) {
    FieldReader fields(message, where);
    while (const auto field = fields.next()) {
        if (field->number == 3 && field->wireType == 0)
            file.algorithm = static_cast<SentencePieceFile::Algorithm>(field->value & 7);
        else if (field->number == 40 && field->wireType == 0)
            file.unknownId = static_cast<std::int32_t>(field->value);
        else if (field->number == 45 && field->wireType == 2)
            file.unknownPiece = field->content;
    }
}

} // namespace

SentencePieceFile readSentencePieceFile(std::string_view bytes, const std::string& where) {
    checkSentencePieceModel(bytes, where);
    SentencePieceFile file;
    FieldReader fields(bytes, where);
    while (const auto field = fields.next()) {
        if (field->wireType != 2)
            continue;
        if (field->number == 1) {
            file.pieces.push_back(readPiece(field->content, where));
        } else if (field->number == 2) {
            readTraining(file, field->content, where);
        } else if (field->number == 3) {
            FieldReader normalizer(field->content, where);
            while (const auto part = normalizer.next())
                if (part->number == 2 && part->wireType == 2)
                    file.characterMap = part->content;
        }
    }
    return file;
}

} // namespace headscope::text
