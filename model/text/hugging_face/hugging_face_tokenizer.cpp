#include "model/text/hugging_face/hugging_face_tokenizer.h"

#include "model/files/folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/text/hugging_face/added_tokens.h"
#include "model/text/hugging_face/byte_characters.h"
#include "model/text/hugging_face/normalizer.h"
#include "model/text/hugging_face/post_processor.h"
#include "model/text/hugging_face/pre_tokenizer.h"
#include "model/text/hugging_face/token_decoder.h"
#include "model/text/hugging_face/token_model.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"
#include "model/text/typed_text.h"

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

class HuggingFaceTokenizer : public Tokenizer {
  public:
    HuggingFaceTokenizer(const json& file, const std::string& where)
        : normalizer_(readNormalizer(stageOf(file, "normalizer"), where + ", normalizer")),
          preTokenizer_(readPreTokenizer(stageOf(file, "pre_tokenizer"), where + ", pre_tokenizer")),
          model_(readTokenModel(files::objectAt(file, "model", where), where + ", model")),
          postProcessor_(readPostProcessor(stageOf(file, "post_processor"), where + ", post_processor")),
          decoder_(readTokenDecoder(stageOf(file, "decoder"), where + ", decoder")),
          addedTokens_(file.contains("added_tokens")
                           ? readAddedTokens(file["added_tokens"], where + ", added_tokens")
                           : std::vector<AddedToken>(),
                       normalizer_.get()),
          isByteLevel_(isOfType(stageOf(file, "pre_tokenizer"), "ByteLevel")) {
        size_ = model_->vocabulary().size();
        if (!addedTokens_.all().empty())
            size_ = std::max(size_, addedTokens_.all().rbegin()->first + 1);
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
        ModelInput input;
        for (const auto& part : typed.second ? postProcessor_.pair : postProcessor_.single) {
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
        const bool isSpaced = !decoder_;
        if (decoder_)
            tokens = decoder_->decode(std::move(tokens));
        std::string text;
        for (const auto& token : tokens)
            text += (isSpaced && !text.empty() ? " " : "") + token;
        return text;
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

    std::string description() const override {
        return "Hugging Face (" + model_->description() + "), " + std::to_string(size_) + " tokens";
    }

  private:
    /// How the file spells an id; null if it has none.
    const std::string* spelling(std::int64_t id) const {
        const auto* added = addedTokens_.find(id);
        return added ? &added->content : model_->vocabulary().token(id);
    }

    void addWords(std::vector<Token>& tokens, Section section) const {
        std::vector<Section> words{std::move(section)};
        if (preTokenizer_)
            preTokenizer_->split(words);
        for (const auto& word : words) {
            if (word.text.empty())
                continue;
            const auto encoded = encodedText(word.text);
            for (const auto& token : model_->tokenize(encoded.utf8)) {
                const auto first = encoded.characterAt[token.begin];
                const auto last = encoded.characterAt[token.end - 1];
                const auto range = rangeOf(std::span(word.text).subspan(first, last - first + 1));
                const bool isUnknown = token.id == model_->unknown();
                tokens.push_back(
                    {token.id,
                     isUnknown ? encoded.utf8.substr(token.begin, token.end - token.begin) : piece(token.id),
                     isUnknown ? TokenRole::Unknown : TokenRole::Text, range});
            }
        }
    }

    TokenRole roleOf(const AddedToken& token) const {
        return token.id == model_->unknown() ? TokenRole::Unknown : TokenRole::Text;
    }

    /// Before the first text it starts the input, behind it it ends one.
    static Token addedToken(const TemplatePart& part, const ModelInput& before) {
        const bool isStart = std::ranges::find(before.parts, InputPart::First) == before.parts.end();
        return {part.id, part.token, isStart ? TokenRole::Start : TokenRole::End, std::nullopt};
    }

    /// A token of white space alone keeps it.
    static void trimRange(trace::ByteRange& range, std::string_view text) {
        const auto characters = charactersOf(text.substr(range.begin, range.end - range.begin));
        const auto isText = [](const Character& character) { return !isUnicodeSpace(character.code); };
        const auto first = std::ranges::find_if(characters, isText);
        if (first == characters.end())
            return;
        const auto last = std::find_if(characters.rbegin(), characters.rend(), isText);
        range = {range.begin + first->range.begin, range.begin + last->range.end};
    }

    std::unique_ptr<const Normalizer> normalizer_;
    std::unique_ptr<const PreTokenizer> preTokenizer_;
    std::unique_ptr<const TokenModel> model_;
    PostProcessor postProcessor_;
    std::unique_ptr<const TokenDecoder> decoder_;
    AddedTokens addedTokens_;
    bool isByteLevel_;
    std::int64_t size_ = 0;
};

} // namespace

bool hasHuggingFaceTokenizer(const std::filesystem::path& folder) {
    return !huggingFaceTokenizerFiles(folder).empty();
}

std::vector<std::filesystem::path> huggingFaceTokenizerFiles(const std::filesystem::path& folder) {
    if (auto file = folder / "tokenizer.json"; files::isFile(file))
        return {std::move(file)};
    return {};
}

std::unique_ptr<Tokenizer> openHuggingFaceTokenizer(const std::filesystem::path& folder) {
    const auto path = folder / "tokenizer.json";
    const auto where = path.string();
    const auto file = files::parseJson(files::readText(path, tokenizerLimits.bytes), where, tokenizerLimits);
    return std::make_unique<HuggingFaceTokenizer>(file, where);
}

} // namespace headscope::text
