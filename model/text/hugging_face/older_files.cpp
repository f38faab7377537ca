#include "model/text/hugging_face/older_files.h"

#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/files/utf8.h"
#include "model/text/hugging_face/converted_sentence_piece.h"
#include "model/text/hugging_face/tiktoken_file.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/piece_vocabulary.h"

#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;

constexpr std::uint64_t largestOlderFile = 64u << 20; // bytes

/// A token with a role, and its id: ["</s>", 2].
json tokenWithId(const TokenizerSettings& settings, const char* role, const json& vocabulary,
                 const std::string& where) {
    const auto token = settings.roles().find(role);
    if (token == settings.roles().end() || !vocabulary.contains(token->second))
        refuseTokenizer(where, std::string("the ") + role,
                        token == settings.roles().end() ? "none named"
                                                        : "no \"" + files::printable(token->second) + "\"");
    return {token->second, vocabulary[token->second]};
}

json wordPieceTokenizer(const std::filesystem::path& path, const TokenizerSettings& settings) {
    const auto where = path.string();
    json vocabulary = json::object();
    const auto words = readWordList(path);
    for (std::int64_t id = 0; id < words.size(); ++id)
        vocabulary[words.piece(id)] = id;
    const auto frame = json{{"type", "BertProcessing"},
                            {"cls", tokenWithId(settings, "cls_token", vocabulary, where)},
                            {"sep", tokenWithId(settings, "sep_token", vocabulary, where)}};
    return {{"normalizer", {{"type", "BertNormalizer"}}}, // the settings define the rest
            {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
            {"post_processor", frame},
            {"decoder", {{"type", "WordPiece"}}},
            {"model",
             {{"type", "WordPiece"},
              {"unk_token", tokenWithId(settings, "unk_token", vocabulary, where)[0]},
              {"vocab", std::move(vocabulary)}}}};
}

/// All lines except the first, which names the version.
json mergesIn(const std::filesystem::path& path) {
    const auto text = files::readText(path, largestOlderFile);
    if (!files::isUtf8(text))
        refuseTokenizer(path.string(), "text in UTF-8", "other bytes");
    json merges = json::array();
    std::string_view rest = text;
    for (bool isFirst = true; !rest.empty(); isFirst = false) {
        const auto end = rest.find('\n');
        auto line = rest.substr(0, end);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!isFirst && !line.empty())
            merges.push_back(line);
    }
    return merges;
}

json frameOfBytePairs(const TokenizerSettings& settings, const json& vocabulary, const std::string& where) {
    const auto& kind = settings.kind();
    if (kind == "Roberta" || kind == "Bart")
        return {{"type", "RobertaProcessing"},
                {"cls", tokenWithId(settings, "cls_token", vocabulary, where)},
                {"sep", tokenWithId(settings, "sep_token", vocabulary, where)}};
    if (!settings.flag("add_bos_token", false))
        return nullptr;
    const auto start = tokenWithId(settings, "bos_token", vocabulary, where);
    return templateOf({start[0], "$A"}, {start[0], "$A", "$B:1"}, {{start[0], start[1]}});
}

json bytePairTokenizer(const std::filesystem::path& vocabularyPath, const std::filesystem::path& mergesPath,
                       const TokenizerSettings& settings) {
    const auto where = vocabularyPath.string();
    auto vocabulary = files::parseJson(files::readText(vocabularyPath, largestOlderFile), where);
    if (!vocabulary.is_object())
        refuseTokenizer(where, "an object from tokens to ids", vocabulary.type_name());
    const bool isQwen = settings.kind() == "Qwen2";
    return {{"normalizer", isQwen ? json{{"type", "NFC"}} : json()},
            {"pre_tokenizer", isQwen ? byteLevelStages("\\p{N}") : json{{"type", "ByteLevel"}}},
            {"post_processor", frameOfBytePairs(settings, vocabulary, where)},
            {"decoder", {{"type", "ByteLevel"}}},
            {"model", {{"type", "BPE"}, {"vocab", std::move(vocabulary)}, {"merges", mergesIn(mergesPath)}}}};
}

} // namespace

std::vector<std::filesystem::path> olderTokenizerFiles(const std::filesystem::path& folder) {
    const std::vector<std::vector<const char*>> sets{
        {"vocab.txt"},    {"vocab.json", "merges.txt"}, {"vocab.json", "sentencepiece.bpe.model"},
        {"spiece.model"}, {"sentencepiece.bpe.model"},  {"tokenizer.model"}};
    for (const auto& names : sets) {
        std::vector<std::filesystem::path> paths;
        for (const char* name : names)
            if (files::isFile(folder / name))
                paths.push_back(folder / name);
        if (paths.size() == names.size())
            return paths;
    }
    return {};
}

std::string kindOfOlderFiles(const std::vector<std::filesystem::path>& files) {
    const auto name = files.back().filename();
    if (name == "vocab.txt")
        return "Bert";
    if (name == "merges.txt")
        return "GPT2";
    if (name == "spiece.model")
        return "T5";
    if (name == "tokenizer.model")
        return isTiktokenFile(files.back()) ? "Llama3" : "Llama";
    return files.size() > 1 ? "M2M100" : "XLMRoberta";
}

json tokenizerOfOlderFiles(const std::vector<std::filesystem::path>& files,
                           const TokenizerSettings& settings) {
    const auto name = files.back().filename();
    if (name == "vocab.txt")
        return wordPieceTokenizer(files.back(), settings);
    if (name == "merges.txt")
        return bytePairTokenizer(files.front(), files.back(), settings);
    if (name == "tokenizer.model" && isTiktokenFile(files.back()))
        return llama3Tokenizer(files.back());
    return convertedSentencePiece(files.back(), settings);
}

} // namespace headscope::text
