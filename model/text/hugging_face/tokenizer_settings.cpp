#include "model/text/hugging_face/tokenizer_settings.h"

#include "model/files/folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/text/hugging_face/language_codes.h"
#include "model/text/hugging_face/tokenizer_refusal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;

constexpr std::uint64_t largestSettings = 16u << 20; // bytes
constexpr std::int64_t mostExtraTokens = 1'000;

/// In the order in which missing tokens are added.
constexpr std::array<const char*, 7> roleKeys{"bos_token", "eos_token", "unk_token", "sep_token",
                                              "pad_token", "cls_token", "mask_token"};

json readObject(const std::filesystem::path& path) {
    if (!files::isFile(path))
        return json::object();
    auto object = files::parseJson(files::readText(path, largestSettings), path.string());
    if (!object.is_object())
        refuseTokenizer(path.string(), "an object", object.type_name());
    return object;
}

/// The class that `transformers` opens for a `model_type`.
std::string kindOfModel(const std::string& type) {
    static const std::map<std::string, std::string> kinds{{"albert", "Albert"},
                                                          {"bart", "Bart"},
                                                          {"bert", "Bert"},
                                                          {"camembert", "Camembert"},
                                                          {"distilbert", "DistilBert"},
                                                          {"electra", "Electra"},
                                                          {"gemma", "Gemma"},
                                                          {"gemma2", "Gemma"},
                                                          {"gemma3", "Gemma"},
                                                          {"gemma3_text", "Gemma"},
                                                          {"gpt2", "GPT2"},
                                                          {"gpt_neox", "GPTNeoX"},
                                                          {"granite", "GPT2"},
                                                          {"llama", "Llama"},
                                                          {"m2m_100", "M2M100"},
                                                          {"mbart", "MBart"},
                                                          {"mistral", "Llama"},
                                                          {"mt5", "T5"},
                                                          {"olmo2", "GPTNeoX"},
                                                          {"opt", "GPT2"},
                                                          {"pegasus", "Pegasus"},
                                                          {"phi", "CodeGen"},
                                                          {"phi3", "Llama"},
                                                          {"qwen2", "Qwen2"},
                                                          {"qwen3", "Qwen2"},
                                                          {"roberta", "Roberta"},
                                                          {"t5", "T5"},
                                                          {"umt5", "T5"},
                                                          {"xlm-roberta", "XLMRoberta"}};
    const auto found = kinds.find(type);
    return found == kinds.end() ? "" : found->second;
}

/// "LlamaTokenizerFast" -> "Llama". Classes that differ only by name have one result.
std::string kindOfClass(std::string name) {
    for (const std::string_view end : {"Fast", "Tokenizer"})
        if (name.ends_with(end))
            name.erase(name.size() - end.size());
    if (name == "CodeLlama" || name == "Phi3")
        return "Llama";
    return name == "MT5" ? "T5" : name;
}

std::map<std::string, std::string> rolesOfKind(const std::string& kind) {
    static const std::map<std::string, std::string> bert{{"unk_token", "[UNK]"},
                                                         {"sep_token", "[SEP]"},
                                                         {"pad_token", "[PAD]"},
                                                         {"cls_token", "[CLS]"},
                                                         {"mask_token", "[MASK]"}};
    static const std::map<std::string, std::string> roberta{
        {"bos_token", "<s>"},   {"eos_token", "</s>"},  {"sep_token", "</s>"},   {"cls_token", "<s>"},
        {"unk_token", "<unk>"}, {"pad_token", "<pad>"}, {"mask_token", "<mask>"}};
    static const std::map<std::string, std::string> gpt2{
        {"unk_token", "<|endoftext|>"}, {"bos_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}};
    static const std::map<std::string, std::map<std::string, std::string>> kinds{
        {"Bert", bert},
        {"DistilBert", bert},
        {"Electra", bert},
        {"Albert",
         {{"bos_token", "[CLS]"},
          {"eos_token", "[SEP]"},
          {"unk_token", "<unk>"},
          {"sep_token", "[SEP]"},
          {"pad_token", "<pad>"},
          {"cls_token", "[CLS]"},
          {"mask_token", "[MASK]"}}},
        {"Roberta", roberta},
        {"Bart", roberta},
        {"XLMRoberta", roberta},
        {"MBart", roberta},
        {"Nllb", roberta},
        {"Camembert", roberta},
        {"MBart50",
         {{"eos_token", "</s>"},
          {"sep_token", "</s>"},
          {"cls_token", "<s>"},
          {"unk_token", "<unk>"},
          {"pad_token", "<pad>"},
          {"mask_token", "<mask>"}}},
        {"M2M100",
         {{"bos_token", "<s>"},
          {"eos_token", "</s>"},
          {"sep_token", "</s>"},
          {"unk_token", "<unk>"},
          {"pad_token", "<pad>"}}},
        {"GPT2", gpt2},
        {"GPTNeoX", gpt2},
        {"CodeGen", gpt2},
        {"Qwen2",
         {{"unk_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}, {"pad_token", "<|endoftext|>"}}},
        {"Llama", {{"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}}},
        {"Llama3", {{"bos_token", "<|begin_of_text|>"}, {"eos_token", "<|end_of_text|>"}}},
        {"Gemma",
         {{"unk_token", "<unk>"}, {"bos_token", "<bos>"}, {"eos_token", "<eos>"}, {"pad_token", "<pad>"}}},
        {"T5", {{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}}},
        {"Pegasus",
         {{"pad_token", "<pad>"},
          {"eos_token", "</s>"},
          {"unk_token", "<unk>"},
          {"mask_token", "<mask_2>"}}}};
    const auto found = kinds.find(kind);
    return found == kinds.end() ? std::map<std::string, std::string>() : found->second;
}

/// Returns the mask token of a class; in many classes it includes the preceding space.
json maskOfKind(const std::string& kind, const std::string& content) {
    const bool takesLeft = kind == "Roberta" || kind == "Bart" || kind == "Albert" || kind == "MBart" ||
                           kind == "MBart50" || kind == "Nllb" || kind == "XLMRoberta" || kind == "Camembert";
    const bool isNormalized = takesLeft && kind != "Roberta" && kind != "Bart" && kind != "Albert";
    return {{"content", content}, {"lstrip", takesLeft}, {"normalized", isNormalized}};
}

/// A token is a text or an object with its text as `content`.
std::string contentOfToken(const json& token, const std::string& where) {
    return token.is_string() ? token.get<std::string>() : files::stringAt(token, "content", where);
}

} // namespace

TokenizerSettings::TokenizerSettings(const std::filesystem::path& folder, const std::string& otherwise)
    : where_((folder / "tokenizer_config.json").string()), values_(readObject(where_)) {
    const auto config = readObject(folder / "config.json");
    const auto where = (folder / "config.json").string();
    kind_ = kindOfClass(text("tokenizer_class", files::stringAt(config, "tokenizer_class", where, "")));
    if (kind_.empty())
        kind_ = kindOfModel(files::stringAt(config, "model_type", where, ""));
    if (kind_.empty())
        kind_ = otherwise;
    const auto map = readObject(folder / "special_tokens_map.json");
    readRoles(map);
    readTokens(folder, map);
}

TokenizerSettings::TokenizerSettings(json values, std::string where)
    : where_(std::move(where)), values_(std::move(values)), kind_(kindOfClass(text("tokenizer_class", ""))) {
    readRoles(json::object());
    readTokens({}, json::object());
}

void TokenizerSettings::readRoles(const json& map) {
    roles_ = rolesOfKind(kind_);
    for (const auto* key : roleKeys)
        for (const auto* source : {&map, static_cast<const json*>(&values_)})
            if (const auto found = source->find(key); found != source->end()) {
                if (found->is_null())
                    roles_.erase(key);
                else
                    roles_[key] = contentOfToken(*found, where_);
            }
}

void TokenizerSettings::readTokens(const std::filesystem::path& folder, const json& map) {
    std::map<std::int64_t, AddedToken> byId;
    const auto older = folder.empty() ? json::object() : readObject(folder / "added_tokens.json");
    for (const auto& [content, id] : older.items())
        if (id.is_number_integer())
            byId[id.get<std::int64_t>()] = {.id = id.get<std::int64_t>(), .content = content};
    if (has("added_tokens_decoder"))
        for (const auto& [key, token] : files::objectAt(values_, "added_tokens_decoder", where_).items()) {
            auto entry = token;
            std::int64_t id = -1;
            std::from_chars(key.data(), key.data() + key.size(), id);
            if (entry.is_object())
                entry["id"] = id;
            byId[id] = readAddedTokens(json::array({entry}), where_ + ", added_tokens_decoder").front();
        }
    for (auto& [id, token] : byId)
        tokens_.push_back(std::move(token));
    for (const auto* key : roleKeys) {
        const auto stated = values_.find(key);
        if (stated != values_.end() && stated->is_object())
            addSpecial(*stated);
        else if (const auto role = roles_.find(key); role != roles_.end())
            addSpecial(key == std::string_view("mask_token") ? maskOfKind(kind_, role->second)
                                                             : json(role->second));
    }
    for (const auto* source : {static_cast<const json*>(&values_), &map})
        if (const auto found = source->find("additional_special_tokens");
            found != source->end() && found->is_array())
            for (const auto& token : *found)
                addSpecial(token);
    addTokensOfKind(has("additional_special_tokens") || map.contains("additional_special_tokens"));
}

void TokenizerSettings::addTokensOfKind(bool hasAdditional) {
    if (kind_ == "T5") {
        const auto isExtra = [](const AddedToken& token) { return token.content.starts_with("<extra_id_"); };
        const auto count = std::ranges::any_of(tokens_, isExtra) ? 0 : integer("extra_ids", 100);
        for (std::int64_t i = 0; i < std::min<std::int64_t>(count, mostExtraTokens); ++i)
            addSpecial("<extra_id_" + std::to_string(i) + ">");
    } else if (kind_ == "Pegasus") {
        addSpecial(text("mask_token_sent", "<mask_1>"));
        const auto offset = integer("offset", 103);
        for (std::int64_t i = 2; i < std::min<std::int64_t>(offset, mostExtraTokens); ++i)
            addSpecial("<unk_" + std::to_string(i) + ">");
    } else if (kind_ != "Nllb" || !hasAdditional) {
        for (const auto& code : languageCodesOfKind(kind_))
            addSpecial(tokenOfLanguage(kind_, code));
    }
}

void TokenizerSettings::addSpecial(const json& token) {
    AddedToken added{.id = -1, .content = contentOfToken(token, where_)};
    const auto isSame = [&](const AddedToken& other) { return other.content == added.content; };
    if (const auto known = std::ranges::find_if(tokens_, isSame); known != tokens_.end()) {
        known->isSpecial = true;
        return;
    }
    added.isSpecial = true;
    added.isNormalized = false;
    if (token.is_object()) {
        added.isSingleWord = files::booleanAt(token, "single_word", where_, false);
        added.takesLeft = files::booleanAt(token, "lstrip", where_, false);
        added.takesRight = files::booleanAt(token, "rstrip", where_, false);
        added.isNormalized = files::booleanAt(token, "normalized", where_, false);
    }
    tokens_.push_back(std::move(added));
}

bool TokenizerSettings::has(const std::string& key) const {
    return values_.contains(key) && !values_[key].is_null();
}

bool TokenizerSettings::flag(const std::string& key, bool otherwise) const {
    return files::booleanAt(values_, key, where_, otherwise);
}

std::string TokenizerSettings::text(const std::string& key, const std::string& otherwise) const {
    return files::stringAt(values_, key, where_, otherwise);
}

std::int64_t TokenizerSettings::integer(const std::string& key, std::int64_t otherwise) const {
    return files::integerAt(values_, key, where_, otherwise);
}

} // namespace headscope::text
