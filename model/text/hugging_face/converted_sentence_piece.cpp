#include "model/text/hugging_face/converted_sentence_piece.h"

#include "model/files/base64.h"
#include "model/files/findings.h"
#include "model/files/read_file.h"
#include "model/text/hugging_face/sentence_piece_file.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;
using Algorithm = SentencePieceFile::Algorithm;
using PieceType = SentencePieceFile::PieceType;

constexpr std::uint64_t largestSentencePiece = 64u << 20; // bytes

struct Scored {
    std::string token;
    double score = 0;
};

std::string mark() {
    return std::string(trace::spaceMark);
}

/// How one class renumbers the pieces, and the stages around them.
class SentencePieceConversion {
  public:
    SentencePieceConversion(SentencePieceFile file, const TokenizerSettings& settings, std::string where)
        : file_(std::move(file)), settings_(settings), where_(std::move(where)), kind_(settings.kind()),
          hasByteFallback_(kind_ == "Llama" || kind_ == "Gemma"), entries_(entries()) {
        for (std::size_t id = 0; id < entries_.size(); ++id)
            ids_.insert_or_assign(entries_[id].token, static_cast<std::int64_t>(id));
    }

    json converted() const {
        return {{"added_tokens", addedTokens()},
                {"normalizer", normalizer()},
                {"pre_tokenizer", preTokenizer()},
                {"post_processor", postProcessor()},
                {"decoder", decoder()},
                {"model", model()}};
    }

  private:
    static constexpr std::int64_t mostUnused = 1'000;

    bool isFairseq() const {
        return kind_ == "XLMRoberta" || kind_ == "MBart" || kind_ == "MBart50" || kind_ == "Nllb";
    }

    std::vector<Scored> piecesFrom(std::size_t first) const {
        std::vector<Scored> pieces;
        for (std::size_t id = first; id < file_.pieces.size(); ++id)
            pieces.push_back({file_.pieces[id].text, file_.pieces[id].score});
        return pieces;
    }

    std::vector<Scored> entries() const {
        const auto with = [](std::vector<Scored> all, const std::vector<Scored>& more) {
            all.insert(all.end(), more.begin(), more.end());
            return all;
        };
        if (isFairseq()) {
            auto all = with({{"<s>"}, {"<pad>"}, {"</s>"}, {"<unk>"}}, piecesFrom(3));
            if (kind_ == "MBart" || kind_ == "MBart50")
                for (const auto& token : settings_.tokens())
                    if (isLanguage(token.content))
                        all.push_back({token.content});
            if (kind_ != "Nllb")
                all.push_back({"<mask>"});
            return all;
        }
        if (kind_ == "Camembert")
            return with(with({{"<s>NOTUSED"}, {"<pad>"}, {"</s>NOTUSED"}, {"<unk>"}, {"<unk>NOTUSED", -100}},
                             piecesFrom(1)),
                        {{"<mask>"}});
        if (kind_ == "Pegasus")
            return with(pegasusEntries(), piecesFrom(2));
        if (kind_ == "Gemma")
            return gemmaEntries();
        auto all = piecesFrom(0);
        if (kind_ == "Albert")
            for (auto& entry : all)
                if (endsWithNumberAndComma(entry.token))
                    entry.score -= 100;
        if (kind_ == "T5")
            for (auto number = extraTokens(); number-- > 0;)
                all.push_back({"<extra_id_" + std::to_string(number) + ">"});
        return all;
    }

    std::ptrdiff_t extraTokens() const {
        return std::ranges::count_if(settings_.tokens(), [](const AddedToken& token) {
            return token.content.starts_with("<extra_id_");
        });
    }

    static bool isLanguage(std::string_view token) { return token.size() == 5 && token[2] == '_'; }

    static bool endsWithNumberAndComma(const std::string& token) {
        const auto characters = charactersOf(token);
        return characters.size() >= 2 && characters.back().code == ',' &&
               isNumber(characters[characters.size() - 2].code);
    }

    std::vector<Scored> pegasusEntries() const {
        std::vector<Scored> all{{role("pad_token")},
                                {role("eos_token")},
                                {settings_.text("mask_token_sent", "<mask_1>")},
                                {role("mask_token")}};
        for (std::int64_t i = 2; i < offset(); ++i)
            all.push_back({"<unk_" + std::to_string(i) + ">", -100});
        return all;
    }

    /// Offset of Pegasus' pieces from the ids in their file.
    std::int64_t offset() const {
        return std::clamp(settings_.integer("offset", 103), std::int64_t{0}, mostUnused);
    }

    /// Old files have no tab; its byte is used instead.
    std::vector<Scored> gemmaEntries() const {
        std::vector<Scored> all{{role("pad_token")}, {role("eos_token")}, {role("bos_token")}};
        for (auto& entry : piecesFrom(3))
            all.push_back(std::move(entry));
        const auto isTab = [](const Scored& entry) { return entry.token == "\t"; };
        const auto isTabByte = [](const Scored& entry) { return entry.token == "<0x09>"; };
        const auto byte = std::ranges::find_if(all, isTabByte);
        if (std::ranges::none_of(all, isTab) && byte != all.end())
            *byte = {"\t", 0};
        return all;
    }

    std::string role(const char* key) const {
        const auto found = settings_.roles().find(key);
        return found == settings_.roles().end() ? "" : found->second;
    }

    std::int64_t idOf(const std::string& token) const {
        const auto found = ids_.find(token);
        if (found == ids_.end())
            refuseTokenizer(where_, "the token \"" + files::printable(token) + "\"", "none of that name");
        return found->second;
    }

    std::int64_t unknownId() const {
        if (isFairseq() || kind_ == "Camembert" || kind_ == "Gemma")
            return 3;
        if (kind_ == "Llama")
            return 0;
        return file_.unknownId + (kind_ == "Pegasus" ? offset() : 0);
    }

    json addedTokens() const {
        json tokens = json::array();
        for (const auto& piece : file_.pieces)
            if (piece.type == PieceType::Control || piece.type == PieceType::UserDefined)
                if (const auto id = ids_.find(piece.text); id != ids_.end())
                    tokens.push_back(
                        {{"id", id->second},
                         {"content", piece.text},
                         {"normalized", false},
                         {"special", piece.type == PieceType::Control || piece.text == "<start_of_turn>" ||
                                         piece.text == "<end_of_turn>"}});
        return tokens;
    }

    /// The default is that of the classes which the models were trained with. Their "fast" classes in
    /// transformers 4.57 add none unless told to, by mistake.
    bool addsSpace() const { return settings_.flag("add_prefix_space", true); }
    bool isLegacy() const { return settings_.flag("legacy", true); }

    json metaspace(bool splits) const {
        return {{"type", "Metaspace"},
                {"replacement", mark()},
                {"prepend_scheme", !addsSpace() ? "never"
                                   : isLegacy() ? "always"
                                                : "first"},
                {"split", splits}};
    }

    static json replaced(const char* key, const std::string& pattern, const std::string& content) {
        return {{"type", "Replace"}, {"pattern", {{key, pattern}}}, {"content", content}};
    }

    json normalizer() const {
        json parts = json::array();
        if (kind_ == "Gemma")
            return replaced("String", " ", mark());
        if (kind_ == "Llama") {
            if (!isLegacy())
                return nullptr;
            if (addsSpace())
                parts.push_back({{"type", "Prepend"}, {"prepend", mark()}});
            parts.push_back(replaced("String", " ", mark()));
            return {{"type", "Sequence"}, {"normalizers", parts}};
        }
        if (kind_ == "Albert") {
            parts.push_back(replaced("String", "``", "\""));
            parts.push_back(replaced("String", "''", "\""));
            if (!settings_.flag("keep_accents", false)) {
                parts.push_back({{"type", "NFKD"}});
                parts.push_back({{"type", "StripAccents"}});
            }
            if (settings_.flag("do_lower_case", true))
                parts.push_back({{"type", "Lowercase"}});
        }
        if (!file_.characterMap.empty())
            parts.push_back(
                {{"type", "Precompiled"}, {"precompiled_charsmap", files::toBase64(file_.characterMap)}});
        if (kind_ != "Albert")
            parts.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
        parts.push_back(replaced("Regex", " {2,}", kind_ == "Albert" ? " " : mark()));
        return {{"type", "Sequence"}, {"normalizers", parts}};
    }

    json preTokenizer() const {
        if (kind_ == "Gemma")
            return {{"type", "Split"}, {"pattern", {{"String", " "}}}, {"behavior", "MergedWithPrevious"}};
        if (kind_ == "Llama")
            return isLegacy() ? json() : metaspace(false);
        if (kind_ == "Pegasus")
            return {{"type", "Sequence"},
                    {"pretokenizers", {{{"type", "WhitespaceSplit"}}, metaspace(true)}}};
        return metaspace(true);
    }

    json decoder() const {
        if (!hasByteFallback_)
            return metaspace(true);
        json parts{replaced("String", mark(), " "), {{"type", "ByteFallback"}}, {{"type", "Fuse"}}};
        if (kind_ == "Llama" && addsSpace())
            parts.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
        return {{"type", "Sequence"}, {"decoders", parts}};
    }

    /// Languages and start tokens are added by the settings.
    json postProcessor() const {
        if (kind_ == "Albert")
            return {{"type", "BertProcessing"},
                    {"cls", {"[CLS]", idOf("[CLS]")}},
                    {"sep", {"[SEP]", idOf("[SEP]")}}};
        if (kind_ == "XLMRoberta" || kind_ == "Camembert")
            return {{"type", "RobertaProcessing"},
                    {"cls", {"<s>", 0}},
                    {"sep", {"</s>", kind_ == "Camembert" ? idOf("</s>") : 2}},
                    {"trim_offsets", false}};
        if (kind_ != "T5" && kind_ != "Pegasus")
            return nullptr;
        const auto end = role("eos_token");
        if (kind_ == "Pegasus")
            return templateOf({"$A", end}, {"$A", "$B", end}, {{end, idOf(end)}});
        return templateOf({"$A", end}, {"$A", end, "$B", end}, {{end, idOf(end)}});
    }

    json model() const {
        if (file_.algorithm == Algorithm::Unigram) {
            json vocabulary = json::array();
            for (const auto& [token, score] : entries_)
                vocabulary.push_back({token, score});
            return {{"type", "Unigram"},
                    {"unk_id", unknownId()},
                    {"vocab", std::move(vocabulary)},
                    {"byte_fallback", hasByteFallback_}};
        }
        if (file_.algorithm != Algorithm::BytePair)
            refuseTokenizer(where_, "pieces of Unigram or of byte pair encoding",
                            "those of words or characters");
        json vocabulary = json::object();
        for (const auto& [token, id] : ids_)
            vocabulary[token] = id;
        return {{"type", "BPE"},      {"vocab", std::move(vocabulary)},
                {"merges", merges()}, {"unk_token", file_.unknownPiece},
                {"fuse_unk", true},   {"byte_fallback", hasByteFallback_}};
    }

    /// SentencePiece does not store what was merged: every pair of pieces whose union is one, the best first.
    json merges() const {
        struct Merge {
            std::string left;
            std::string right;
            double score = 0;
            std::size_t leftLength = 0; // in characters
            std::size_t rightLength = 0;
        };
        std::unordered_map<std::string_view, std::size_t> pieceIds;
        for (std::size_t id = 0; id < file_.pieces.size(); ++id)
            pieceIds.insert_or_assign(file_.pieces[id].text, id);
        if (const auto byte = pieceIds.find("<0x09>"); kind_ == "Gemma" && byte != pieceIds.end())
            pieceIds.emplace("\t", byte->second);
        std::vector<Merge> all;
        std::set<std::string_view> seen;
        for (const auto& [token, score] : entries_) {
            if (!seen.insert(token).second)
                continue;
            const auto first = all.size();
            const auto characters = charactersOf(token);
            for (std::size_t at = 1; at < characters.size(); ++at) {
                const auto byte = characters[at].range.begin;
                if (pieceIds.contains(std::string_view(token).substr(0, byte)) &&
                    pieceIds.contains(std::string_view(token).substr(byte)))
                    all.push_back({token.substr(0, byte), token.substr(byte), scoreOf(token, score), at,
                                   characters.size() - at});
            }
            std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                             [&](const Merge& a, const Merge& b) {
                                 return std::tuple(pieceIds.at(a.left), pieceIds.at(a.right)) <
                                        std::tuple(pieceIds.at(b.left), pieceIds.at(b.right));
                             });
        }
        std::ranges::stable_sort(all, [](const Merge& a, const Merge& b) {
            return std::tuple(a.score, a.leftLength, a.rightLength) >
                   std::tuple(b.score, b.leftLength, b.rightLength);
        });
        json pairs = json::array();
        for (const auto& merge : all)
            if (ids_.contains(merge.left) && ids_.contains(merge.right))
                pairs.push_back({merge.left, merge.right});
        return pairs;
    }

    /// If two entries have the same spelling, the last one counts.
    double scoreOf(const std::string& token, double otherwise) const {
        const auto id = ids_.find(token);
        return id == ids_.end() ? otherwise : entries_[id->second].score;
    }

    SentencePieceFile file_;
    const TokenizerSettings& settings_;
    std::string where_;
    std::string kind_;
    bool hasByteFallback_;
    std::vector<Scored> entries_; ///< by id
    std::unordered_map<std::string, std::int64_t> ids_;
};

} // namespace

json templateOf(const std::vector<std::string>& single, const std::vector<std::string>& pair,
                const std::map<std::string, std::int64_t>& specialTokens) {
    const auto parts = [](const std::vector<std::string>& spelled) {
        json all = json::array();
        for (const auto& part : spelled) {
            const bool isSequence = part.starts_with("$");
            const auto name = isSequence ? part.substr(1, 1) : part;
            all.push_back({{isSequence ? "Sequence" : "SpecialToken",
                            {{"id", name}, {"type_id", isSequence && part.ends_with(":1") ? 1 : 0}}}});
        }
        return all;
    };
    json tokens = json::object();
    for (const auto& [token, id] : specialTokens)
        tokens[token] = {{"id", token}, {"ids", json::array({id})}, {"tokens", json::array({token})}};
    return {{"type", "TemplateProcessing"},
            {"single", parts(single)},
            {"pair", parts(pair)},
            {"special_tokens", std::move(tokens)}};
}

json convertedSentencePiece(SentencePieceFile file, const TokenizerSettings& settings,
                            const std::string& where) {
    return SentencePieceConversion(std::move(file), settings, where).converted();
}

json convertedSentencePiece(const std::filesystem::path& path, const TokenizerSettings& settings) {
    const auto where = path.string();
    return convertedSentencePiece(readSentencePieceFile(files::readText(path, largestSentencePiece), where),
                                  settings, where);
}

} // namespace headscope::text
