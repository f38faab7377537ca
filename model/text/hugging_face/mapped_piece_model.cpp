#include "model/text/hugging_face/mapped_piece_model.h"

#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/text/hugging_face/tokenizer_refusal.h"

#include <utility>

namespace headscope::text {

namespace {

constexpr std::uint64_t largestMap = 64u << 20; // bytes

nlohmann::json readMap(const std::filesystem::path& path) {
    return files::parseJson(files::readText(path, largestMap), path.string());
}

} // namespace

MappedPieceModel::MappedPieceModel(std::shared_ptr<const SentencePieceModel> pieces,
                                   const std::filesystem::path& vocabulary, const std::string& unknown)
    : pieces_(std::move(pieces)), vocabulary_(readMap(vocabulary), vocabulary.string()) {
    const auto id = vocabulary_.id(unknown);
    if (!id)
        refuseTokenizer(vocabulary.string(), "the unknown token", "no \"" + unknown + "\"");
    unknown_ = *id;
}

std::vector<WordToken> MappedPieceModel::tokenize(std::string_view word) const {
    std::vector<WordToken> tokens;
    for (const auto& token : pieces_->encode(word))
        tokens.push_back(
            {vocabulary_.id(token.piece).value_or(unknown_), token.range->begin, token.range->end});
    return tokens;
}

std::vector<std::string> PieceDecoder::decode(std::vector<std::string> tokens) const {
    const auto text = pieces_->join(tokens);
    const auto first = text.find_first_not_of(' ');
    if (first == text.npos)
        return {};
    return {text.substr(first, text.find_last_not_of(' ') - first + 1)};
}

} // namespace headscope::text
