#include "model/text/hugging_face/token_model.h"

#include "model/files/limited_json.h"
#include "model/text/hugging_face/byte_pair_model.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unigram_model.h"
#include "model/text/hugging_face/word_piece_model.h"

namespace headscope::text {

namespace {

/// Files of before 2020 do not name the type.
std::string typeOfModel(const nlohmann::json& stage, const std::string& where) {
    if (stage.is_object() && !stage.contains("type")) {
        if (stage.contains("merges"))
            return "BPE";
        if (stage.contains("unk_id"))
            return "Unigram";
        if (stage.contains("continuing_subword_prefix"))
            return "WordPiece";
    }
    return files::stringAt(stage, "type", where);
}

} // namespace

std::unique_ptr<const TokenModel> readTokenModel(const nlohmann::json& stage, const std::string& where) {
    const auto type = typeOfModel(stage, where);
    if (type == "BPE")
        return std::make_unique<BytePairModel>(stage, where + ", BPE");
    if (type == "WordPiece")
        return std::make_unique<WordPieceModel>(stage, where + ", WordPiece");
    if (type == "Unigram")
        return std::make_unique<UnigramModel>(stage, where + ", Unigram");
    refuseType(where, "BPE, WordPiece, Unigram", type);
}

} // namespace headscope::text
