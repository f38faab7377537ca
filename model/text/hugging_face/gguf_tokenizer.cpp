#include "model/text/hugging_face/gguf_tokenizer.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/converted_sentence_piece.h"
#include "model/text/hugging_face/sentence_piece_file.h"
#include "model/text/hugging_face/tiktoken_file.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/tokenizer_settings.h"
#include "model/text/hugging_face/unicode.h"
#include "model/trace/joined.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace headscope::text {

namespace {

using nlohmann::json;
using PieceType = SentencePieceFile::PieceType;

const std::string tokenizerKeys = "tokenizer.ggml.";

json split(const std::string& pattern) {
    return {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}};
}

json byteLevel(bool useRegex) {
    return {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", useRegex}};
}

/// Splits at the patterns, one after the other; then bytes become characters.
json splitAt(const std::vector<std::string>& patterns, bool useRegex) {
    json stages = json::array();
    for (const auto& pattern : patterns)
        stages.push_back(split(pattern));
    stages.push_back(byteLevel(useRegex));
    return {{"type", "Sequence"}, {"pretokenizers", stages}};
}

// Words of GPT-4o's pattern, and of Mistral's.
const std::string contraction = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)";
std::string casedWords(const std::string& end, const std::string& digits) {
    const std::string start = R"([^\r\n\p{L}\p{N}]?)", upper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])",
                      lower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
    return start + upper + "*" + lower + "+" + end + "|" + start + upper + "+" + lower + "*" + end + "|" +
           digits + R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

/// How text is split before byte pairs are merged, by the names that llama.cpp has for it.
struct NamedSplitting {
    std::vector<std::string_view> names;
    json stages;
    bool startsText = false;    ///< unless the file says otherwise
    bool ignoresMerges = false; ///< a word that is a token is not merged
    bool isComposed = false;    ///< text becomes NFC
};

const std::vector<NamedSplitting>& namedSplittings() {
    static const std::vector<NamedSplitting> all{
        {{"default"},
         splitAt({R"([\p{P}\$\+<=>\^~\|]+)",
                  R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))", R"(\p{N}+)",
                  R"([0-9][0-9][0-9])"},
                 false)},
        {{"gpt-2", "phi-2", "mpt", "olmo", "jais", "exaone4", "gigachat", "mellum", "a.x-4.0", "trillion",
          "granite-docling"},
         byteLevel(true)},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2"},
         byteLevelStages(R"(\p{N}{1,3})"),
         true,
         true},
        {{"dbrx", "smaug-bpe", "glm4", "chatglm-bpe"}, byteLevelStages(R"(\p{N}{1,3})")},
        {{"qwen2", "deepseek-r1-qwen", "megrez", "hunyuan"}, byteLevelStages(R"(\p{N})"), false, false, true},
        {{"stablelm2"}, byteLevelStages(R"(\p{N})")},
        {{"starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b"},
         splitAt({R"(\p{N})"}, true)},
        {{"falcon"},
         splitAt({R"([\p{P}\$\+<=>\^~\|`]+)",
                  R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))",
                  R"([0-9][0-9][0-9])"},
                 false)},
        {{"deepseek-llm"},
         splitAt({R"([\r\n])", R"(\s?[\p{Lu}\p{Ll}\p{Lt}]+)", R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)", R"(\s+$)",
                  R"([一-龥ࠀ-一가-퟿]+)", R"(\p{N}+)"},
                 false)},
        {{"deepseek-coder"},
         splitAt({R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", R"([一-龥ࠀ-一가-퟿]+)", R"(\p{N})"},
                 false)},
        {{"deepseek-v3"},
         splitAt({R"(\p{N}{1,3})", R"([一-龥぀-ゟ゠-ヿ]+)",
                  R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
                  R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
                 false)},
        {{"tekken"}, splitAt({casedWords("", R"(\p{N})")}, false), true, true},
        {{"gpt-4o", "llama4"}, splitAt({casedWords(contraction, R"(\p{N}{1,3})")}, false)},
        {{"poro-chat", "bloom", "gpt3-finnish"}, splitAt({R"( ?[^(\s|.,!?…。，、।۔،)]+)"}, false)},
        {{"viking"}, splitAt({R"( ?[^(\s|.,!?…。，、।۔،)]+)", R"(\p{N})"}, false)},
    };
    return all;
}

const NamedSplitting& splittingNamed(const std::string& name, const std::string& where) {
    std::vector<std::string> names;
    for (const auto& one : namedSplittings())
        for (const auto known : one.names)
            if (known == name)
                return one;
            else
                names.emplace_back(known);
    refuseTokenizer(where + ", " + tokenizerKeys + "pre", "one of " + trace::joined(names),
                    "\"" + files::printable(name) + "\"");
}

class GgufReader {
  public:
    GgufReader(const json& metadata, const std::string& where) : metadata_(metadata), where_(where) {
        tokens_ = files::stringsAt(metadata, tokenizerKeys + "tokens", where);
        if (metadata.contains(tokenizerKeys + "token_type"))
            types_ = files::integersAt(metadata, tokenizerKeys + "token_type", where);
        types_.resize(tokens_.size(), static_cast<std::int64_t>(PieceType::Normal));
    }

    TokenizerStages read() const {
        const auto model = files::stringAt(metadata_, tokenizerKeys + "model", where_);
        if (model == "llama")
            return pieces("Llama", SentencePieceFile::Algorithm::BytePair, true, false);
        if (model == "t5")
            return pieces("T5", SentencePieceFile::Algorithm::Unigram, false, true);
        if (model == "gpt2")
            return bytePairs();
        if (model == "bert")
            return wordPieces();
        refuseTokenizer(where_ + ", " + tokenizerKeys + "model", "llama, gpt2, bert or t5",
                        "\"" + files::printable(model) + "\"");
    }

  private:
    bool isOfType(std::size_t id, PieceType type) const { return types_[id] == std::int64_t(type); }

    bool flag(const char* key, bool otherwise) const {
        return files::booleanAt(metadata_, tokenizerKeys + key, where_, otherwise);
    }

    /// The token that a key names by its id.
    std::optional<std::string> tokenOf(const char* key) const {
        const auto id = files::integerAt(metadata_, tokenizerKeys + key, where_, -1);
        if (id < 0 || id >= std::ssize(tokens_))
            return std::nullopt;
        return tokens_[id];
    }

    /// Roles of tokens. Those that the file does not name have none, whatever is usual.
    json settings(const std::string& kind) const {
        json settings{{"tokenizer_class", kind + "Tokenizer"}, {"clean_up_tokenization_spaces", false}};
        using Keys = std::pair<const char*, const char*>;
        for (const auto& [role, key] :
             {Keys("bos_token", "bos_token_id"), Keys("eos_token", "eos_token_id"),
              Keys("unk_token", "unknown_token_id"), Keys("sep_token", "seperator_token_id"),
              Keys("pad_token", "padding_token_id"), Keys("cls_token", "cls_token_id"),
              Keys("mask_token", "mask_token_id")}) {
            const auto token = tokenOf(key);
            settings[role] = token ? json(*token) : json();
        }
        return settings;
    }

    json vocabulary(const std::vector<std::string>& tokens) const {
        json ids = json::object();
        for (std::size_t id = 0; id < tokens.size(); ++id)
            if (const auto [token, isNew] = ids.emplace(tokens[id], id); !isNew)
                refuseTokenizer(where_ + ", " + tokenizerKeys + "tokens", "every token once",
                                "\"" + files::printable(tokens[id]) + "\" twice");
        return ids;
    }

    json addedTokens() const {
        json added = json::array();
        for (std::size_t id = 0; id < tokens_.size(); ++id)
            if (isOfType(id, PieceType::Control) || isOfType(id, PieceType::UserDefined))
                added.push_back({{"id", id},
                                 {"content", tokens_[id]},
                                 {"normalized", false},
                                 {"rstrip", takesRight(tokens_[id])},
                                 {"special", isOfType(id, PieceType::Control)}});
        return added;
    }

    /// The format does not say which tokens include the white space after them. Those of Phi-3 do, which
    /// llama.cpp, too, tells by the model's name.
    bool takesRight(const std::string& token) const {
        const auto named = metadata_.value("general.name", json());
        auto name = named.is_string() ? named.get<std::string>() : std::string();
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        const bool isPhi3 = name.find("phi-3") != name.npos || name.find("phi3") != name.npos;
        return isPhi3 && token != "<unk>" && token != "<s>" && token != "<|endoftext|>";
    }

    /// Tokens before and after a text, by their roles.
    json frame(const json& settings, bool starts, bool ends) const {
        std::vector<std::string> single, pair;
        std::map<std::string, std::int64_t> ids;
        const auto add = [&](const char* role) {
            if (!settings[role].is_string())
                refuseTokenizer(where_, std::string("a ") + role + ", which texts begin or end with", "none");
            const auto token = settings[role].get<std::string>();
            single.push_back(token);
            pair.push_back(token);
            ids[token] = std::ranges::find(tokens_, token) - tokens_.begin();
        };
        if (starts)
            add("bos_token");
        single.push_back("$A");
        pair.insert(pair.end(), {"$A", "$B:1"});
        if (ends)
            add("eos_token");
        return starts || ends ? templateOf(single, pair, ids) : json();
    }

    TokenizerStages pieces(const std::string& kind, SentencePieceFile::Algorithm algorithm, bool starts,
                           bool ends) const {
        SentencePieceFile file{.algorithm = algorithm};
        const auto& scores = files::arrayAt(metadata_, tokenizerKeys + "scores", where_);
        if (scores.size() != tokens_.size())
            refuseTokenizer(where_ + ", " + tokenizerKeys + "scores", "one for each token",
                            std::to_string(scores.size()) + " for " + std::to_string(tokens_.size()));
        vocabulary(tokens_); // each once
        for (std::size_t id = 0; id < tokens_.size(); ++id) {
            const auto score = scores[id].is_number() ? scores[id].get<double>() : NAN;
            if (!std::isfinite(score))
                refuseTokenizer(where_ + ", " + tokenizerKeys + "scores", "numbers", "others");
            file.pieces.push_back(
                {.text = tokens_[id], .score = score, .type = static_cast<PieceType>(types_[id] & 7)});
        }
        file.unknownId = static_cast<std::int32_t>(
            files::integerAt(metadata_, tokenizerKeys + "unknown_token_id", where_,
                             algorithm == SentencePieceFile::Algorithm::Unigram ? 2 : 0));
        if (const auto unknown = tokenOf("unknown_token_id"))
            file.unknownPiece = *unknown;
        if (const auto map = metadata_.find(tokenizerKeys + "precompiled_charsmap"); map != metadata_.end())
            for (const auto byte :
                 files::integersAt(metadata_, tokenizerKeys + "precompiled_charsmap", where_))
                file.characterMap += static_cast<char>(byte);
        auto said = settings(kind);
        said["add_prefix_space"] = flag("add_space_prefix", true);
        said["add_bos_token"] = flag("add_bos_token", starts);
        said["add_eos_token"] = flag("add_eos_token", ends);
        said["extra_ids"] = 0; // they are among the tokens
        const TokenizerSettings read(said, where_);
        auto tokenizer = convertedSentencePiece(std::move(file), read, where_);
        for (auto& added : tokenizer["added_tokens"])
            added["rstrip"] = takesRight(added["content"].get<std::string>());
        return {std::move(tokenizer), said};
    }

    TokenizerStages bytePairs() const {
        const auto& pre =
            splittingNamed(files::stringAt(metadata_, tokenizerKeys + "pre", where_, "default"), where_);
        auto said = settings("PreTrained");
        return {{{"normalizer", pre.isComposed ? json{{"type", "NFC"}} : json()},
                 {"pre_tokenizer", pre.stages},
                 {"post_processor",
                  frame(said, flag("add_bos_token", pre.startsText), flag("add_eos_token", false))},
                 {"decoder", {{"type", "ByteLevel"}}},
                 {"added_tokens", addedTokens()},
                 {"model",
                  {{"type", "BPE"},
                   {"vocab", vocabulary(tokens_)},
                   {"merges", files::stringsAt(metadata_, tokenizerKeys + "merges", where_)},
                   {"ignore_merges", pre.ignoresMerges}}}},
                said};
    }

    /// There the beginning of a word is marked, here what goes on.
    std::vector<std::string> wordPieceTokens() const {
        const std::string mark(trace::spaceMark);
        std::vector<std::string> tokens;
        for (std::size_t id = 0; id < tokens_.size(); ++id)
            tokens.push_back(!isOfType(id, PieceType::Normal) ? tokens_[id]
                             : tokens_[id].starts_with(mark)  ? tokens_[id].substr(mark.size())
                                                              : "##" + tokens_[id]);
        return tokens;
    }

    TokenizerStages wordPieces() const {
        const auto tokens = wordPieceTokens();
        auto said = settings("Bert");
        said["clean_up_tokenization_spaces"] = true;
        for (const auto& [role, other, usual] :
             {std::tuple("cls_token", "bos_token", "[CLS]"), std::tuple("sep_token", "eos_token", "[SEP]"),
              std::tuple("unk_token", "unk_token", "[UNK]")})
            if (!said[role].is_string())
                said[role] = said[other].is_string() ? said[other] : json(usual);
        // llama.cpp lower-cases every text; a vocabulary with capital letters was not trained so.
        const auto hasCapital = [](const std::string& token) {
            return std::ranges::any_of(token, [](char letter) { return letter >= 'A' && letter <= 'Z'; });
        };
        bool isCased = false;
        for (std::size_t id = 0; id < tokens.size(); ++id)
            isCased |=
                isOfType(id, PieceType::Normal) && !tokens[id].starts_with('[') && hasCapital(tokens[id]);
        said["do_lower_case"] = !isCased;
        auto ids = vocabulary(tokens);
        const auto withId = [&](const char* role) -> json {
            const auto token = said[role].get<std::string>();
            if (!ids.contains(token))
                refuseTokenizer(where_, std::string("the ") + role, "no \"" + files::printable(token) + "\"");
            return {token, ids[token]};
        };
        const json frame{
            {"type", "BertProcessing"}, {"cls", withId("cls_token")}, {"sep", withId("sep_token")}};
        return {
            {{"normalizer", {{"type", "BertNormalizer"}}}, // the settings define the rest
             {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
             {"post_processor", frame},
             {"decoder", {{"type", "WordPiece"}}},
             {"added_tokens", addedTokens()},
             {"model", {{"type", "WordPiece"}, {"unk_token", said["unk_token"]}, {"vocab", std::move(ids)}}}},
            said};
    }

    const json& metadata_;
    const std::string& where_;
    std::vector<std::string> tokens_; ///< by id
    std::vector<std::int64_t> types_; ///< PieceType of each
};

} // namespace

TokenizerStages ggufTokenizer(const json& metadata, const std::string& where) {
    return GgufReader(metadata, where).read();
}

} // namespace headscope::text
