#include "model/text/hugging_face/hugging_face_tokenizer.h"

#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/text/hugging_face/added_tokens.h"
#include "model/text/hugging_face/byte_characters.h"
#include "model/text/hugging_face/mapped_piece_model.h"
#include "model/text/hugging_face/normalizer.h"
#include "model/text/hugging_face/older_files.h"
#include "model/text/hugging_face/post_processor.h"
#include "model/text/hugging_face/pre_tokenizer.h"
#include "model/text/hugging_face/special_tokens.h"
#include "model/text/hugging_face/token_decoder.h"
#include "model/text/hugging_face/token_model.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/tokenizer_settings.h"
#include "model/text/hugging_face/unicode.h"
#include "model/text/hugging_face/with_replaced.h"
#include "model/text/sentence_piece.h"
#include "model/text/typed_text.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;
using trace::Token;
using trace::TokenRole;

// Gemma's file has 33 MB and 1.8 million values.
constexpr files::JsonLimits tokenizerLimits{.values = 8'000'000, .bytes = std::size_t{256} << 20};

/// A stage of the file; null where the key is missing.
const json& stageOf(const json& file, const char* key) {
    static const json none;
    const auto found = file.find(key);
    return found == file.end() ? none : *found;
}

bool isOfType(const json& stage, const std::string& type) {
    if (!stage.is_object())
        return false;
    for (const auto& [key, value] : stage.items()) {
        if (key == "type" && value == type)
            return true;
        if (value.is_array() &&
            std::ranges::any_of(value, [&](const json& part) { return isOfType(part, type); }))
            return true;
    }
    return false;
}

/// Changes stages as the classes of `transformers` do when they open a file, regardless of its contents.
void overrideStages(json& file, const TokenizerSettings& settings) {
    const auto& kind = settings.kind();
    auto& normalizer = file["normalizer"];
    if ((kind == "Bert" || kind == "DistilBert" || kind == "Electra") && normalizer.is_object() &&
        normalizer.value("type", json()) == "BertNormalizer") {
        normalizer["lowercase"] = settings.flag("do_lower_case", true);
        normalizer["handle_chinese_chars"] = settings.flag("tokenize_chinese_chars", true);
        normalizer["strip_accents"] =
            settings.has("strip_accents") ? json(settings.flag("strip_accents", false)) : json();
    }
    auto& preTokenizer = file["pre_tokenizer"];
    if (preTokenizer.is_object() && preTokenizer.value("type", json()) == "ByteLevel")
        preTokenizer["add_prefix_space"] = settings.flag("add_prefix_space", false);
}

/// `clean_up_tokenization_spaces` of decoded text.
std::string withoutSpacesBeforePunctuation(std::string text) {
    for (const auto& [from, to] :
         {std::pair(" .", "."), std::pair(" ?", "?"), std::pair(" !", "!"), std::pair(" ,", ","),
          std::pair(" ' ", "'"), std::pair(" n't", "n't"), std::pair(" 'm", "'m"), std::pair(" 's", "'s"),
          std::pair(" 've", "'ve"), std::pair(" 're", "'re")})
        text = withReplaced(text, from, to);
    return text;
}

/// Says if lower-casing keeps every text from tokens that are not added ones; empty if it does not.
std::string noteOnLowerCase(const Normalizer* normalizer, const TokenVocabulary& vocabulary,
                            const AddedTokens& added) {
    const auto isLowered = [&](std::string_view token) {
        auto text = charactersOf(token);
        normalizer->normalize(text);
        return utf8Of(text).find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
    };
    if (!normalizer || !isLowered("A"))
        return {};
    for (std::int64_t id = 0; id < vocabulary.size(); ++id) {
        const auto* token = vocabulary.token(id);
        const bool isMarked =
            token && (token->starts_with('[') || token->starts_with('<')) && token->size() > 2;
        if (token && !isMarked && !added.find(id) &&
            std::ranges::any_of(*token, [](char letter) { return letter >= 'A' && letter <= 'Z'; }))
            return "text is lower-cased, so tokens with capital letters, such as \"" +
                   files::printable(*token) + "\", are never read; if case counts, give --tokenizer-pattern";
    }
    return {};
}

/// The model and decoder stages, which can come from different files.
struct ModelStages {
    std::unique_ptr<const TokenModel> model;
    std::unique_ptr<const TokenDecoder> decoder;
};

class HuggingFaceTokenizer : public Tokenizer {
  public:
    HuggingFaceTokenizer(const json& file, ModelStages stages, TokenizerSettings settings,
                         std::optional<Pattern> pattern, const std::string& where,
                         std::string format = "Hugging Face")
        : format_(std::move(format)), settings_(std::move(settings)), pattern_(std::move(pattern)),
          normalizer_(readNormalizer(stageOf(file, "normalizer"), where + ", normalizer")),
          preTokenizer_(readPreTokenizer(stageOf(file, "pre_tokenizer"), where + ", pre_tokenizer")),
          model_(std::move(stages.model)), decoder_(std::move(stages.decoder)),
          addedTokens_(withTokensOf(
                           settings_,
                           readAddedTokens(stageOf(file, "added_tokens"), where + ", added_tokens"),
                           [this](const std::string& token) { return model_->vocabulary().id(token); },
                           model_->vocabulary().size()),
                       normalizer_.get()),
          isByteLevel_(isOfType(stageOf(file, "pre_tokenizer"), "ByteLevel")) {
        size_ = model_->vocabulary().size();
        std::vector<AddedToken> added;
        for (const auto& [id, token] : addedTokens_.all()) {
            added.push_back(token);
            size_ = std::max(size_, id + 1);
        }
        special_ = specialTokensOf(settings_, idOf_);
        languages_ = languagesOf(settings_, added);
        if (const auto frame = frameOfClass(settings_, idOf_))
            postProcessor_ = *frame;
        else
            postProcessor_ = readPostProcessor(stageOf(file, "post_processor"), where + ", post_processor");
        note_ = noteOnLowerCase(normalizer_.get(), model_->vocabulary(), addedTokens_);
        for (const auto* parts : {&postProcessor_.single, &postProcessor_.pair})
            for (const auto& part : *parts)
                if (part.part == InputPart::Added && !spelling(part.id))
                    refuseTokenizer(where + ", post_processor", "ids of the vocabulary",
                                    std::to_string(part.id));
    }

    std::vector<Token> encode(std::string_view text) const override {
        refuseUnlessUtf8(text);
        std::vector<Token> tokens;
        for (auto& part : addedTokens_.parts(text)) {
            if (part.token)
                tokens.push_back(
                    {part.token->id, part.token->content, roleOf(*part.token), rangeOf(part.section.text)});
            else
                addWords(tokens, std::move(part.section));
        }
        if (postProcessor_.trimsRanges)
            for (auto& token : tokens)
                trimRange(*token.range, text);
        return tokens;
    }

    std::optional<ModelInput> framed(const TypedInput& typed) const override {
        const auto frame =
            languages_.all.empty()
                ? postProcessor_
                : frameOfLanguage(settings_, languages_,
                                  typed.language.empty() ? languages_.source : typed.language, idOf_);
        ModelInput input;
        for (const auto& part : typed.second ? frame.pair : frame.single) {
            auto tokens = part.part == InputPart::Added   ? std::vector{addedToken(part, input)}
                          : part.part == InputPart::First ? encode(typed.text)
                                                          : encode(*typed.second);
            input.parts.resize(input.parts.size() + tokens.size(), part.part);
            input.segments.resize(input.segments.size() + tokens.size(), part.segment);
            std::ranges::move(tokens, std::back_inserter(input.tokens));
        }
        return input;
    }

    std::string decode(std::span<const std::int64_t> ids) const override {
        std::vector<std::string> tokens;
        for (const auto id : ids) {
            const auto* added = addedTokens_.find(id);
            if (const auto* token = spelling(id); token && !(added && added->isSpecial))
                tokens.push_back(*token);
        }
        const bool isSpaced = !decoder_ && !pattern_;
        if (decoder_)
            tokens = decoder_->decode(std::move(tokens));
        std::string text;
        for (const auto& token : tokens)
            text += (isSpaced && !text.empty() ? " " : "") + token;
        return settings_.flag("clean_up_tokenization_spaces", false)
                   ? withoutSpacesBeforePunctuation(std::move(text))
                   : text;
    }

    std::string piece(std::int64_t id) const override {
        if (const auto* added = addedTokens_.find(id))
            return added->content;
        const auto* token = model_->vocabulary().token(id);
        if (!token)
            return "#" + std::to_string(id);
        return isByteLevel_ ? readableToken(*token) : *token;
    }

    std::int64_t size() const override { return size_; }

    LanguageTokens languageTokens() const override { return languages_; }
    SpecialTokens specialTokens() const override { return special_; }

    std::string description() const override {
        const auto splitting = pattern_ ? "words, split by a pattern" : model_->description();
        return format_ + " (" + splitting + "), " + std::to_string(size_) + " tokens";
    }

    std::string note() const override { return note_; }

  private:
    std::optional<std::int64_t> idOf(const std::string& token) const {
        const auto* added = addedTokens_.find(token);
        return added ? std::optional(added->id) : model_->vocabulary().id(token);
    }

    /// Returns the spelling of an id in the file; null if it has none.
    const std::string* spelling(std::int64_t id) const {
        const auto* added = addedTokens_.find(id);
        return added ? &added->content : model_->vocabulary().token(id);
    }

    void addMatches(std::vector<Token>& tokens, const AlignedText& text) const {
        for (const auto& [begin, end, matches] : pattern_->words(text)) {
            const auto part = std::span(text).subspan(begin, end - begin);
            auto word = utf8Of(part);
            const auto id = matches ? model_->vocabulary().id(word) : std::nullopt;
            const auto unknown = model_->unknown() ? model_->unknown() : special_.unknown;
            if (!id && !unknown)
                throw trace::Refusal({.what = "The text has a word that the model does not know",
                                      .where = "the text, byte " + std::to_string(rangeOf(part).begin),
                                      .expected = "words of the vocabulary, which has no unknown one",
                                      .found = "\"" + files::printable(word) + "\"",
                                      .wayOut = "use other words, or another --tokenizer-pattern"});
            const auto role = id && id != unknown ? TokenRole::Text : TokenRole::Unknown;
            tokens.push_back({id ? *id : *unknown, std::move(word), role, rangeOf(part)});
        }
    }

    void addWords(std::vector<Token>& tokens, Section section) const {
        if (pattern_)
            return addMatches(tokens, section.text);
        std::vector<Section> words{std::move(section)};
        if (preTokenizer_)
            preTokenizer_->split(words);
        for (const auto& word : words) {
            if (word.text.empty())
                continue;
            const auto encoded = encodedText(word.text);
            for (const auto& token : model_->tokenize(encoded.utf8)) {
                const auto range = typedRange(word.text, encoded, token);
                const bool isUnknown = token.id == model_->unknown();
                tokens.push_back(
                    {token.id,
                     isUnknown ? encoded.utf8.substr(token.begin, token.end - token.begin) : piece(token.id),
                     isUnknown ? TokenRole::Unknown : TokenRole::Text, range});
            }
        }
    }

    /// Returns the byte range of a word's token in the typed text; empty for an inserted mark.
    static trace::ByteRange typedRange(const AlignedText& word, const EncodedText& encoded,
                                       const WordToken& token) {
        if (token.begin == token.end) {
            const auto place = token.begin < encoded.characterAt.size()
                                   ? word[encoded.characterAt[token.begin]].range.begin
                                   : word.back().range.end;
            return {place, place};
        }
        const auto first = encoded.characterAt[token.begin];
        const auto last = encoded.characterAt[token.end - 1];
        return rangeOf(std::span(word).subspan(first, last - first + 1));
    }

    TokenRole roleOf(const AddedToken& token) const {
        if (token.id == model_->unknown() || token.id == special_.unknown)
            return TokenRole::Unknown;
        if (token.id == special_.padding && special_.padding != special_.end)
            return TokenRole::Padding;
        if (token.id == special_.end || token.id == special_.separator)
            return TokenRole::End;
        return token.id == special_.start || token.id == special_.classification ? TokenRole::Start
                                                                                 : TokenRole::Text;
    }

    /// A token before the first text starts the input; a token after a text ends it.
    static Token addedToken(const TemplatePart& part, const ModelInput& before) {
        const bool isStart = std::ranges::find(before.parts, InputPart::First) == before.parts.end();
        return {part.id, part.token, isStart ? TokenRole::Start : TokenRole::End, std::nullopt};
    }

    /// Tokens of only white space are not trimmed.
    static void trimRange(trace::ByteRange& range, std::string_view text) {
        const auto characters = charactersOf(text.substr(range.begin, range.end - range.begin));
        const auto isText = [](const Character& character) { return !isUnicodeSpace(character.code); };
        const auto first = std::ranges::find_if(characters, isText);
        if (first == characters.end())
            return;
        const auto last = std::find_if(characters.rbegin(), characters.rend(), isText);
        range = {range.begin + first->range.begin, range.begin + last->range.end};
    }

    std::string format_; ///< of its files, for display
    TokenizerSettings settings_;
    std::optional<Pattern> pattern_; ///< in place of normalizer, pre-tokenizer and model
    std::unique_ptr<const Normalizer> normalizer_;
    std::unique_ptr<const PreTokenizer> preTokenizer_;
    std::unique_ptr<const TokenModel> model_;
    std::unique_ptr<const TokenDecoder> decoder_;
    AddedTokens addedTokens_;
    IdOf idOf_ = [this](const std::string& token) { return idOf(token); };
    PostProcessor postProcessor_;
    SpecialTokens special_;
    LanguageTokens languages_;
    std::string note_;
    bool isByteLevel_;
    std::int64_t size_ = 0;
};

std::unique_ptr<Tokenizer> openStages(json file, TokenizerSettings settings,
                                      const std::optional<Pattern>& pattern, const std::string& where,
                                      const std::string& format = "Hugging Face") {
    overrideStages(file, settings);
    if (pattern)
        for (const char* stage : {"normalizer", "pre_tokenizer", "decoder"})
            file[stage] = nullptr;
    ModelStages stages{.model = readTokenModel(files::objectAt(file, "model", where), where + ", model"),
                       .decoder = readTokenDecoder(stageOf(file, "decoder"), where + ", decoder")};
    return std::make_unique<HuggingFaceTokenizer>(file, std::move(stages), std::move(settings), pattern,
                                                  where, format);
}

std::unique_ptr<Tokenizer> openOlderFiles(const std::vector<std::filesystem::path>& paths,
                                          const std::filesystem::path& folder,
                                          const std::optional<Pattern>& pattern) {
    if (paths.empty())
        refuseTokenizer(folder.string(), "tokenizer.json, or an older file such as vocab.txt", "neither");
    TokenizerSettings settings(folder, kindOfOlderFiles(paths));
    const auto where = paths.front().string();
    if (settings.kind() != "M2M100") {
        auto file = tokenizerOfOlderFiles(paths, settings);
        return openStages(std::move(file), std::move(settings), pattern, where);
    }
    const auto role = settings.roles().find("unk_token");
    const std::string unknown = role == settings.roles().end() ? "<unk>" : role->second;
    const std::shared_ptr<const SentencePieceModel> pieces = openSentencePiece(paths.back());
    ModelStages stages{.model = std::make_unique<MappedPieceModel>(pieces, paths.front(), unknown),
                       .decoder = std::make_unique<PieceDecoder>(pieces)};
    return std::make_unique<HuggingFaceTokenizer>(json::object(), std::move(stages), std::move(settings),
                                                  pattern, where);
}

/// True for classes that ignore tokenizer.json if the settings define whether a space is added.
bool isMadeAnew(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& older) {
    const TokenizerSettings settings(folder);
    return (settings.kind() == "Llama" || settings.kind() == "T5") && settings.has("add_prefix_space") &&
           !older.empty() && older.back().extension() == ".model";
}

} // namespace

bool hasHuggingFaceTokenizer(const std::filesystem::path& folder) {
    return !huggingFaceTokenizerFiles(folder).empty();
}

std::vector<std::filesystem::path> huggingFaceTokenizerFiles(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    if (files::isFile(folder / "tokenizer.json"))
        paths.push_back(folder / "tokenizer.json");
    else
        paths = olderTokenizerFiles(folder);
    if (paths.empty())
        return paths;
    for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                             "tokenizer.model", "spiece.model"})
        if (auto path = folder / name; files::isFile(path) && path != paths.front())
            paths.push_back(std::move(path));
    return paths;
}

std::unique_ptr<Tokenizer> openHuggingFaceTokenizer(const std::filesystem::path& folder,
                                                    const std::optional<Pattern>& pattern) {
    const auto path = folder / "tokenizer.json";
    const auto older = olderTokenizerFiles(folder);
    if (!files::isFile(path) || isMadeAnew(folder, older))
        return openOlderFiles(older, folder, pattern);
    const auto where = path.string();
    auto file = files::parseJson(files::readText(path, tokenizerLimits.bytes), where, tokenizerLimits);
    if (!file.is_object())
        refuseTokenizer(where, "an object", file.type_name());
    return openStages(std::move(file), TokenizerSettings(folder), pattern, where);
}

std::unique_ptr<Tokenizer> openHuggingFaceTokenizer(const TokenizerStages& stages, const std::string& where) {
    return openStages(stages.tokenizer, TokenizerSettings(stages.settings, where), {}, where, "GGUF");
}

} // namespace headscope::text
